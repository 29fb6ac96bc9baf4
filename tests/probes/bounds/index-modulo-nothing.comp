//! expect = "bounds"
//! title = "a remainder of a division by zero is inside of nothing"
//! buffer = "0.0=4096:iota"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[16];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 16) cells[i] = 0;
  barrier();
  const uint n = min(data[0], 16u);
  atomicAdd(cells[data[i + 1] % n], 1); // bounds, arithmetic
  data[i + 64] = 1;
}
