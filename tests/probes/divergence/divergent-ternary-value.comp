//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint n = i > 7 ? 1 : 0;
  if (n == 1) // condition
    barrier(); // barrier
  data[i] = n;
}
