//! expect = "clean"
//! title = "writers and readers of a turn are apart"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  tile[i] = 0;
  for (uint k = 1; k < 64; k *= 2) {
    barrier();
    if (i < k) tile[i] = k;
    if (i >= 2 * k) data[t] = tile[i - k];
  }
}
