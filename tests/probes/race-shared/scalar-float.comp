//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared float f;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) f = 2.5;
  barrier();
  data[i] = uint(f);
}
