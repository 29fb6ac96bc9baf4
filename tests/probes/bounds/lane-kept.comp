//! expect = "clean"
//! title = "a sum over a subgroup, in which all lanes take part"
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  float v = i % 64 < 34 ? data[i] : 0.0;
  for (uint d = gl_SubgroupSize / 2; d > 0; d >>= 1) {
    v += subgroupShuffleDown(v, d);
  }
  if (gl_SubgroupInvocationID == 0) {
    data[i] = v;
  }
}
