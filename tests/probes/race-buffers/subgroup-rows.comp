//! expect = "clean"
//! title = "each lane has its own place in its subgroup's two rows"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint row = gl_SubgroupSize;
  const uint first = (gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID) * row * 2 + gl_SubgroupInvocationID;
  for (uint r = 0; r < 2; ++r) data[first + r * row] = r;
}
