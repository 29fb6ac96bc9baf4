//! expect = "racy"
//! title = "a lane's prefix sum does not need what the next lane read"
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = l;
  barrier();
  const uint v = s[l ^ 1u]; // race
  s[l] = subgroupInclusiveAdd(v); // race
  barrier();
  data[gl_GlobalInvocationID.x] = s[l];
}
