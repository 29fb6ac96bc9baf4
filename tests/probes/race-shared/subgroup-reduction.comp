//! expect = "clean"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint sum = subgroupAdd(data[gl_WorkGroupID.x * 1024 + i]);
  if (subgroupElect()) a[gl_SubgroupID] = sum;
  barrier();
  uint total = 0;
  for (uint k = 0; k < gl_NumSubgroups; ++k) total += a[k];
  data[gl_WorkGroupID.x * 1024 + i] = total;
}
