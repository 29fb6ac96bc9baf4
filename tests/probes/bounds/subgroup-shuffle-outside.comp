//! expect = "bounds"
//! title = "no subgroup has 256 lanes"
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[i] = subgroupShuffleXor(data[i], 128u); // bounds
}
