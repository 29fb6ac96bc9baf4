//! expect = "racy"
//! title = "each loop ends soon, all together are more than the CPU device allows"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint x[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  x[l >> 1] = l; // race
  uint a = l;
  for (uint i = 0; i < 1000; ++i)
    for (uint k = 0; k < 1000; ++k)
      a = a * 3 + k;
  o[gl_GlobalInvocationID.x] = a;
}
