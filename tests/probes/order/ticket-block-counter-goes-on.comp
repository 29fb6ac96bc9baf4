//! expect = "clean"
//! title = "the counter does not start at 0 and goes up by 5: no number is below the count of workgroups, and none is drawn twice"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Turns { uint taken[8]; };
shared uint ticket;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) ticket = atomicAdd(taken[7], 5);
  barrier();
  const uint block = ticket;
  data[block * 64 + i] = gl_WorkGroupID.x;
}
