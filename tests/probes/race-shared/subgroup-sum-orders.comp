//! expect = "clean"
//! title = "the sum of a subgroup needs what all its lanes have read"
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = l;
  barrier();
  const uint v = s[l ^ 3u];
  s[l] = subgroupAdd(v) + subgroupInclusiveAdd(v);
  barrier();
  data[gl_GlobalInvocationID.x] = s[l];
}
