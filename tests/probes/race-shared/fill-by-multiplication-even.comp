//! expect = "racy"
//! title = "an even factor folds"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 4; ++k) {
    const uint e = i + 64 * k;
    tile[(e * 8) % 256] = e; // race
  }
  barrier();
  data[t] = i;
}
