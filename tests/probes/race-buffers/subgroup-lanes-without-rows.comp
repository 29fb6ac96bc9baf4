//! expect = "racy"
//! title = "a lane's number alone: all subgroups write the same places"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  data[gl_WorkGroupID.x * 64 + gl_SubgroupInvocationID] = gl_LocalInvocationIndex; // race
}
