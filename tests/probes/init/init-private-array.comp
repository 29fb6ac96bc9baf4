//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint own[8];
  for (uint k = 0; k < i % 8; ++k) own[k] = k;
  data[gl_GlobalInvocationID.x] = own[i % 8]; // uninitialized
}
