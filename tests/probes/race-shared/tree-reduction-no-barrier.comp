//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  for (uint n = 32; n > 0; n >>= 1) {
    if (i < n) a[i] += a[i + n]; // race
  }
  barrier();
  if (i == 0) data[gl_WorkGroupID.x * 1024 + 0] = a[0];
}
