//! expect = "racy"
//! title = "the count begins at 1: the last but one takes itself for the last, and the last one, too"
//! buffer = "0.1=65536:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) coherent buffer Parts { uint arrived[2]; uint part[]; };
shared uint before;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    part[gl_WorkGroupID.x] = gl_WorkGroupID.x; // race
    memoryBarrierBuffer();
    before = atomicAdd(arrived[1], 1);
  }
  barrier();
  if (before + 1 < gl_NumWorkGroups.x) return;
  memoryBarrierBuffer();
  if (i < gl_NumWorkGroups.x) {
    data[i] = part[i] + before; // race
  }
}
