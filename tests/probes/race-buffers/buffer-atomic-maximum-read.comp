//! expect = "racy"
//! title = "other workgroups are not waited for"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  atomicMax(data[0], i); // race
  memoryBarrierBuffer();
  barrier();
  if (i == 0) data[1 + gl_WorkGroupID.x] = data[0]; // race
}
