//! expect = "racy"
//! title = "the last workgroup reads what all have left, in a buffer that is not coherent"
//! zero = "0.1"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) coherent buffer Count { uint arrived; };
layout(set = 0, binding = 2) buffer Parts { uint part[]; };
shared uint before;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    part[gl_WorkGroupID.x] = gl_WorkGroupID.x; // race
    memoryBarrierBuffer();
    before = atomicAdd(arrived, 1);
  }
  barrier();
  if (before + 1 < gl_NumWorkGroups.x) return;
  memoryBarrierBuffer();
  if (i < gl_NumWorkGroups.x) {
    data[i] = part[i]; // race
  }
}
