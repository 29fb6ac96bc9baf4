//! expect = "bounds"
//! title = "indices outside are no race between lanes"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i + data[96] - 64] = 1; // bounds
  subgroupBarrier();
  const uint j = gl_SubgroupID * gl_SubgroupSize + (gl_SubgroupInvocationID + 1) % gl_SubgroupSize;
  if (i < 32) data[i] = a[j + 32];
}
