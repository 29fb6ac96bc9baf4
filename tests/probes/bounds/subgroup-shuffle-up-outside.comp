//! expect = "bounds"
//! title = "no lane is 128 below another, and no subgroup has a lane 200"
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  uint v = subgroupShuffleUp(data[i], 128u); // bounds
  v += subgroupShuffleDown(v, 1u) + subgroupBroadcast(v, 0);
  data[i] = v + subgroupBroadcast(v, 200); // bounds
}
