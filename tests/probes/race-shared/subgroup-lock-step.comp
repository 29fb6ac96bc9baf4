//! expect = "racy"
//! title = "assumes that a subgroup runs in lock step"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i]; // race
  const uint base = gl_SubgroupID * gl_SubgroupSize;
  data[gl_WorkGroupID.x * 1024 + i] = a[base + (gl_SubgroupInvocationID + 1) % gl_SubgroupSize]; // race
}
