//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint n;

void main() {
  const uint i = gl_LocalInvocationID.x;
  n = i; // race
  if (n == 3) // condition, race
    barrier(); // barrier
  data[i] = n; // race
}
