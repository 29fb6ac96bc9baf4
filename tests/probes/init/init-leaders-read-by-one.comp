//! expect = "clean"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint sum = subgroupAdd(i);
  if (subgroupElect()) s[gl_SubgroupID] = sum;
  barrier();
  if (i == 0) {
    uint all = 0;
    for (uint k = 0; k < gl_NumSubgroups; ++k) all += s[k];
    data[gl_WorkGroupID.x] = all;
  }
}
