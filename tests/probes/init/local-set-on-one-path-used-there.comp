//! expect = "clean"
//! title = "the best is read only where one was found"
//! zero = 0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  float best;
  bool found = false;
  for (uint k = 0; k < 4; ++k) {
    const float x = data[i * 4 + k];
    if (x > 0.9 + float(i % 2)) {
      best = found ? max(best, x) : x;
      found = true;
    }
  }
  data[i * 4] = found ? best : 0.0;
}
