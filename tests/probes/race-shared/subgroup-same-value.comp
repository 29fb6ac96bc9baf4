//! expect = "note"
//! title = "lanes of a subgroup write the same value"
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a;

void main() {
  a = 5; // race
  subgroupBarrier();
  barrier();
  data[gl_LocalInvocationID.x] = a;
}
