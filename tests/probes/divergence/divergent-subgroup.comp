//! expect = "divergent"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (subgroupElect()) // condition
    barrier(); // barrier
  data[i] = 1;
}
