//! expect = "racy"
//! title = "a stride between workgroups too short"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  data[gl_WorkGroupID.x * 63 + i] = t; // race
}
