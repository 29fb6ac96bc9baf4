//! expect = "racy"
//! title = "invocations leave the loop at different turns: behind it the counter is not the same in all"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint k;
  for (k = 0; k < data[40]; ++k)
    if (k == 31 - i) break;
  barrier();
  cells[i + k] = i; // race
  barrier();
  data[64 + gl_GlobalInvocationID.x] = cells[i]; // uninitialized
}
