//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 4; ++k) {
    if ((i & 1) == k % 2) continue; // condition
    barrier(); // barrier
  }
  data[gl_GlobalInvocationID.x] = i;
}
