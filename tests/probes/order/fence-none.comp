//! expect = "racy"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i]; // race
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, 0);
  data[gl_WorkGroupID.x * 1024 + i] = a[63 - i]; // race
}
