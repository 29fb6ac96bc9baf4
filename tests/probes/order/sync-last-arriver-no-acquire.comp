//! expect = "racy"
//! title = "what was left is released and not acquired"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint part[64];
shared uint arrived;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) arrived = 0;
  barrier();
  part[i] = i; // race
  memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
  if (atomicAdd(arrived, 1) == 63) {
    uint sum = 0;
    for (uint k = 0; k < 64; ++k) sum += part[k]; // race
    data[gl_WorkGroupID.x] = sum;
  }
}
