//! expect = "racy"
//! title = "in place, from the neighbour"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint next = data[i + 1]; // race
  data[i] = next + 1; // race
}
