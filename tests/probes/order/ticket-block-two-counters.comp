//! expect = "racy"
//! title = "odd and even workgroups draw from counters of their own, which give the same numbers"
//! zero = "0.1"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Turns { uint taken[2]; };
shared uint ticket;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) ticket = atomicAdd(taken[gl_WorkGroupID.x % 2], 1);
  barrier();
  const uint block = ticket;
  data[block * 64 + i] = gl_WorkGroupID.x; // race
}
