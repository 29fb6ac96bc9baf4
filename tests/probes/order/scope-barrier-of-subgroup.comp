//! expect = "clean"
//! title = "all wait, and memory is ordered within subgroups"
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint mine = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  s[mine] = gl_LocalInvocationIndex;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  data[gl_GlobalInvocationID.x] = s[mine ^ 1];
}
