//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint n = data[i]; // race
  while (n > 3) { // condition
    n /= 2;
    barrier(); // barrier
  }
  data[i] = n; // race
}
