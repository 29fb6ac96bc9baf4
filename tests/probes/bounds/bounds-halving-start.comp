//! expect = "bounds"
//! title = "the first stride is too long"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 4; ++k) tile[i + 64 * k] = i;
  barrier();
  for (uint k = 256; k > 128; k /= 2) {
    if (i < 32) data[t] = tile[i + k]; // bounds
  }
}
