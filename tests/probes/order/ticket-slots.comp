//! expect = "clean"
//! title = "each workgroup writes at the number that it has drawn, into as many cells as there are workgroups"
//! zero = "0.1"
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
  if (i == 0) mine[block] = 1;
  barrier();
  data[block * 64 + i] = mine[block];
}
