//! expect = "bounds"
//! title = "a counter that a condition does not hold back wraps below zero"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  cells[i] = cells[i + 32] = 0;
  barrier();
  int j = 0;
  for (uint k = 0; k < 8; ++k, j += 0x30000000)
    if (j < 64)
      atomicAdd(cells[j], 1); // bounds
  data[i] = 1;
}
