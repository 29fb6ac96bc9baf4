//! expect = "divergent"
//! title = "the counter differs behind the loop"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint k = 0;
  for (; k < data[i]; ++k) {} // race
  if (k == 3) // condition
    barrier(); // barrier
  data[i] = 1; // race
}
