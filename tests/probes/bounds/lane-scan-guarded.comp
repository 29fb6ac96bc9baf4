//! expect = "clean"
//! title = "a scan over a subgroup: what comes from below the first lane is not used"
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i % 64 >= 34) {
    return;
  }
  float v = data[i];
  for (uint d = 1; d < gl_SubgroupSize; d <<= 1) {
    const float below = subgroupShuffleUp(v, d);
    v += gl_SubgroupInvocationID >= d ? below : 0.0;
  }
  data[i] = v + subgroupBroadcast(v, 0);
}
