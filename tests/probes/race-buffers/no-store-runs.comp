//! expect = "incomplete"
//! title = "the only store is behind a condition that no invocation meets"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= 4096) data[i] = i;
}
