//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void put(uint at, uint x) { a[at] = x; }

void main() {
  const uint i = gl_LocalInvocationID.x;
  put(i, 1);
  barrier();
  put((i + 1) % 64, 2);
  barrier();
  data[i] = a[i];
}
