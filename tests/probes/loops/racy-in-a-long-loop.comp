//! expect = "racy"
//! title = "the race is inside a loop that the CPU device ends"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint x[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  x[l >> 1] = l; // race
  uint a = 0;
  for (uint i = 0; i < 2000000; ++i)
    a = a * 3 + x[0]; // race
  o[gl_GlobalInvocationID.x] = a;
}
