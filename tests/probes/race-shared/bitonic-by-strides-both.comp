//! expect = "racy"
//! title = "pairs exchanged by both of them"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  tile[i] = (i * 37) % 64;
  for (uint k = 32; k > 0; k /= 2) {
    barrier();
    const uint b = tile[i ^ k]; // race
    tile[i] = min(tile[i], b); // race
  }
  barrier();
  data[t] = tile[63 - i];
}
