//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void load(uint at, out uint x) { x = a[at]; } // uninitialized

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint x;
  load(i, x);
  barrier();
  load(63 - i, x);
  data[gl_WorkGroupID.x * 1024 + i] = x;
}
