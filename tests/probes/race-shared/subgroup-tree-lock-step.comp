//! expect = "racy"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i]; // race
  const uint lane = gl_SubgroupInvocationID;
  for (uint n = gl_SubgroupSize / 2; n > 0; n /= 2) {
    if (lane < n) a[i] += a[i + n]; // race
  }
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[i - lane];
}
