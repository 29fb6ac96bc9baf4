//! expect = "clean"
//! title = "a workgroup hands on to the next, which acquires"
//! zero = "0.1"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) coherent buffer Parts { uint arrived; uint part[]; };

void main() {
  if (gl_LocalInvocationIndex != 0) return;
  const uint g = gl_WorkGroupID.x;
  part[g] = g + 1;
  atomicStore(arrived, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  data[g] = part[g];
}
