//! expect = "inactive lane"
//! title = "even lanes read their odd neighbours, which skip the branch"
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const float v = data[i];
  if (gl_SubgroupInvocationID % 2 == 0) {
    data[i] = subgroupShuffleXor(v, 1u); // inactive lane
  }
}
