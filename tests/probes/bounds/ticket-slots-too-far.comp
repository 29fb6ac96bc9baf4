//! expect = "bounds"
//! title = "the counter starts at 7: what is drawn is beyond as many cells as there are workgroups"
//! buffer = "0.1=64:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Turns { uint taken[8]; };
shared uint ticket;
shared uint mine[3];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) ticket = atomicAdd(taken[7], 1);
  if (i < 3) mine[i] = 0;
  barrier();
  const uint block = ticket;
  if (i == 0) mine[block] = 1; // bounds
  barrier();
  data[block * 64 + i] = mine[block]; // bounds
}
