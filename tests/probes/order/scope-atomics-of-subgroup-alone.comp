//! expect = "clean"
//! title = "atomics of subgroup scope, each subgroup on a word of its own"
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint count[64];

void main() {
  count[gl_LocalInvocationIndex] = 0;
  barrier();
  atomicAdd(count[gl_SubgroupID], 1u, gl_ScopeSubgroup, 0, 0);
  barrier();
  data[gl_GlobalInvocationID.x] = count[gl_LocalInvocationIndex];
}
