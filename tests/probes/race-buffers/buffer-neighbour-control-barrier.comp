//! expect = "clean"
//! title = "a barrier that orders buffers itself"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint base = gl_WorkGroupID.x * 128;
  data[base + i] = i;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  data[base + 64 + i] = data[base + 63 - i];
}
