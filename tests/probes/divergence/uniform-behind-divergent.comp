//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint x = 0;
  if (i < 7) x = 1; else x = 2;
  barrier();
  data[i] = x;
}
