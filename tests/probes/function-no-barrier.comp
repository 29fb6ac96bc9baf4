//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void put(uint at, uint x) { a[at] = x; } // race
uint take(uint at) { return a[at]; } // race

void main() {
  const uint i = gl_LocalInvocationID.x;
  put(i, data[i]);
  data[i] = take(63 - i);
}
