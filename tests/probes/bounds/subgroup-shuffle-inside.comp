//! expect = "clean"
//! title = "lanes that are masked by the subgroup's size"
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint other = subgroupShuffle(data[i], (gl_SubgroupInvocationID + 3u) & (gl_SubgroupSize - 1u));
  data[i] = other + subgroupShuffleXor(other, 1u);
}
