//! expect = "clean"
//! title = "pairs exchanged by the lower of both"
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
    if ((i & k) == 0) {
      const uint a = tile[i];
      const uint b = tile[i ^ k];
      tile[i] = min(a, b);
      tile[i ^ k] = max(a, b);
    }
  }
  barrier();
  data[t] = tile[63 - i];
}
