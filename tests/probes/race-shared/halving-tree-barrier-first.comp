//! expect = "clean"
//! title = "the barrier at the start of each turn"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  tile[i] = i;
  for (uint k = 32; k > 0; k /= 2) {
    barrier();
    if (i < k) tile[i] += tile[i + k];
  }
  barrier();
  data[t] = tile[0];
}
