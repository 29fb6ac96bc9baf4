//! expect = "racy"
//! title = "a scan in place with one of its barriers"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  tile[i] = i;
  barrier();
  for (uint k = 1; k < 64; k *= 2) {
    const uint add = i >= k ? tile[i - k] : 0; // race
    tile[i] += add; // race
    barrier();
  }
  data[t] = tile[63 - i];
}
