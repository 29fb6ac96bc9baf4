//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void put(uint at, uint x) { a[at] = x; }
uint take(uint at) { return a[at]; }

void main() {
  const uint i = gl_LocalInvocationID.x;
  put(i, data[gl_WorkGroupID.x * 1024 + i]);
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = take(63 - i);
}
