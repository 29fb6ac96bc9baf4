//! expect = "racy"
//! title = "each its partner, which reads its own"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  const uint mine = data[t]; // race
  data[t ^ 1] = mine + t; // race
}
