//! expect = "clean"
//! title = "sums left in place, the stride doubled"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  tile[i] = i;
  for (uint k = 1; k < 64; k *= 2) {
    barrier();
    const uint right = 2 * k * (i + 1) - 1;
    if (right < 64) tile[right] += tile[right - k];
  }
  barrier();
  data[t] = tile[63 - i];
}
