//! expect = "clean"
//! title = "the last invocation of each subgroup writes at its number"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) a[gl_SubgroupID] = i;
  barrier();
  data[gl_GlobalInvocationID.x] = a[0];
}
