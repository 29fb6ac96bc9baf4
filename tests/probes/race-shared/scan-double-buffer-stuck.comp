//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[2][64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[0][i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  for (uint n = 1; n < 64; n *= 2) {
    a[0][i] = a[0][i] + (i >= n ? a[0][i - n] : 0); // race
    barrier();
  }
  data[gl_WorkGroupID.x * 1024 + i] = a[0][i];
}
