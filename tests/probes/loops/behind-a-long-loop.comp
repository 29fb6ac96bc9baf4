//! expect = "incomplete"
//! title = "values behind the cut loop are not the kernel's: nothing is reported there"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint x[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  x[l] = l;
  uint n = 0;
  for (uint i = 0; i < 2000000; ++i)
    n += o[i & 1] == 7 ? 2 : 1;
  if (n < 2000000) { // not so, were it not for the cut
    x[0] = l; // not executed
    o[4000000 + l] = l;
  }
  o[gl_GlobalInvocationID.x] = x[l]; // not executed
}
