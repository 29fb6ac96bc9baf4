//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  switch (i % 3) { // condition
    case 0: data[i] = 1; break;
    case 1: barrier(); break; // barrier
    default: data[i] = 2;
  }
}
