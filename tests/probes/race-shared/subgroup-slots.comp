//! expect = "clean"
//! title = "a cell a subgroup, of 4 lanes at least"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint sums[16];

void main() {
  const uint place = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  if (gl_SubgroupInvocationID == 0) sums[gl_SubgroupID] = gl_SubgroupID;
  barrier();
  uint sum = 0;
  for (uint g = 0; g < gl_NumSubgroups; ++g) sum += sums[g];
  data[gl_WorkGroupID.x * 64 + place] = sum;
}
