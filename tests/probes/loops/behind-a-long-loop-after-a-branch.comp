//! expect = "incomplete"
//! title = "the race is behind the cut loop, and a branch is before the loop"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
shared uint x[64];
shared uint first;

void main() {
  const uint l = gl_LocalInvocationIndex;
  if (l == 0)
    first = 1;
  barrier();
  uint n = first;
  while (n != 0)
    n = n * 2 + 1;
  x[l >> 1] = l; // not executed
  barrier();
  o[gl_GlobalInvocationID.x] = x[l]; // not executed
}
