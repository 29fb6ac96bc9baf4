//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void exchange(uint at, uint x) {
  barrier();
  a[at] = x;
  barrier();
}

void main() {
  const uint i = gl_LocalInvocationID.x;
  exchange(i, data[gl_WorkGroupID.x * 1024 + i]);
  data[gl_WorkGroupID.x * 1024 + i] = a[63 - i];
}
