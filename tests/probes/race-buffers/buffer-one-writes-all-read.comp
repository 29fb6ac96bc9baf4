//! expect = "racy"
//! title = "one workgroup writes what all read"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i == 0) {
    data[0] = 7; // race
  }
  data[1 + i] = data[0]; // race
}
