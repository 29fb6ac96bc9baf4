//! expect = "racy"
//! title = "a block has 64 elements, and the next begins behind 63"
//! zero = "0.1"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Turns { uint taken; };
shared uint ticket;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) ticket = atomicAdd(taken, 1);
  barrier();
  const uint block = ticket;
  data[block * 63 + i] = gl_WorkGroupID.x; // race
}
