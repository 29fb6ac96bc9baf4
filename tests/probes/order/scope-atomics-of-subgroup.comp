//! expect = "racy"
//! title = "atomics of subgroup scope by several subgroups"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint count;

void main() {
  if (gl_LocalInvocationIndex == 0) count = 0;
  barrier();
  atomicAdd(count, 1u, gl_ScopeSubgroup, 0, 0); // race
}
