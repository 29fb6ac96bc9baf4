//! expect = "uninitialized"
//! title = "the best is set only where one is found"
//! zero = 0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  float best;
  for (uint k = 0; k < 4; ++k) {
    if (data[i * 4 + k] > 0.9 + float(i % 2)) {
      best = data[i * 4 + k];
    }
  }
  data[i * 4] = best + 1.0; // uninitialized
}
