//! expect = "clean"
//! title = "lower half reads the upper half, which nobody writes"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  if (i < 32) a[i] += a[i + 32];
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[0];
}
