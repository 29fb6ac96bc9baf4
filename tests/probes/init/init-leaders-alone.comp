//! expect = "uninitialized"
//! title = "a cell for each subgroup, read as one for each invocation"
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
  data[gl_GlobalInvocationID.x] = s[63]; // uninitialized
}
