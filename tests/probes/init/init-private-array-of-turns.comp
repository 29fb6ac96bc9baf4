//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  uint a[8];
  for (uint k = 0; k < 8; ++k) a[k] = k;
  uint sum = 0;
  for (uint k = 0; k < 8; ++k) sum += a[(k + i) % 8];
  data[gl_GlobalInvocationID.x] = sum;
}
