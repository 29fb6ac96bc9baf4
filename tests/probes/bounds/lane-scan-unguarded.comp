//! expect = "inactive lane"
//! title = "a scan over a subgroup that uses what comes from below the first lane"
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  float v = data[i];
  for (uint d = 1; d < gl_SubgroupSize; d <<= 1) {
    v += subgroupShuffleUp(v, d); // inactive lane
  }
  data[i] = v;
}
