//! expect = "clean"
//! title = "a barrier that acquires, with a fence that releases before it"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[data[i] % 64] = i;
  memoryBarrierShared();
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire);
  data[64 + gl_GlobalInvocationID.x] = a[63 - i];
}
