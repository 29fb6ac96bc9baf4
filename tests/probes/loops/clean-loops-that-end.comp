//! expect = "clean"
//! title = "many iterations, and fewer than the CPU device allows"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint x[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  x[l] = l;
  uint a = 0;
  for (uint i = 0; i < 200; ++i)
    for (uint k = 0; k < 100; ++k)
      a = a * 3 + x[l] + k;
  o[gl_GlobalInvocationID.x] = a;
}
