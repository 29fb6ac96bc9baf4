//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i % 2 == 0) a[i] = i; // race
  else a[i - 1] = i; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[i]; // uninitialized
}
