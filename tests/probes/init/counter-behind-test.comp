//! expect = "uninitialized"
//! title = "behind the test the counter has not its last value"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[96];

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = 0;; ++k) {
    if (k >= 2) break;
    cells[i + 32 * k] = k;
  }
  data[gl_GlobalInvocationID.x] = cells[64 + (i + 1) % 32]; // uninitialized
}
