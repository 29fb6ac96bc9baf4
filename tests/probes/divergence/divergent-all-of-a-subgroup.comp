//! expect = "divergent"
//! title = "the subgroup that has element 0 never comes"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (subgroupAll(given[i] >= 8)) { // condition
    barrier(); // barrier
  }
  data[gl_GlobalInvocationID.x] = i;
}
