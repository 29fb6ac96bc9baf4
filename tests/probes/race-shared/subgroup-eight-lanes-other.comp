//! expect = "racy"
//! title = "eight lanes exchange values, and the next eight read what they write"
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = l;
  barrier();
  uint v = s[l ^ 8u]; // race
  v += subgroupShuffleXor(v, 1u);
  v += subgroupShuffleXor(v, 2u);
  v += subgroupShuffleXor(v, 4u);
  s[l] = v; // race
  barrier();
  data[gl_GlobalInvocationID.x] = s[l];
}
