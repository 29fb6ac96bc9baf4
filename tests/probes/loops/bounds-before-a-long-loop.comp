//! expect = "bounds"
//! title = "the index is outside before a loop that the CPU device ends"
//! buffer = "0.1=4096"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) readonly buffer In { uint a[]; };

void main() {
  const uint l = gl_LocalInvocationIndex;
  uint q = a[l + 2000000]; // bounds
  for (uint i = 0; i < 2000000; ++i)
    q = q * 3 + a[1];
  o[gl_GlobalInvocationID.x] = q;
}
