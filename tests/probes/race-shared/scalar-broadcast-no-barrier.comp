//! expect = "racy"
//! title = "one writes, all read, no barrier"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) s = data[gl_WorkGroupID.x * 1024 + 0]; // race
  data[gl_WorkGroupID.x * 1024 + i] = s; // race
}
