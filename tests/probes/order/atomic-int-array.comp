//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared int a[4];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 4) a[i] = 0;
  barrier();
  atomicMin(a[i % 4], int(i));
  barrier();
  if (i < 4) data[i] = uint(a[i]);
}
