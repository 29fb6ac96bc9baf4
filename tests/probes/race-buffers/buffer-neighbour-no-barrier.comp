//! expect = "racy"
//! title = "a neighbour is read with nothing in between"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint base = gl_WorkGroupID.x * 128;
  data[base + i] = i; // race
  data[base + 64 + i] = data[base + 63 - i]; // race
}
