//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared double d[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  d[i] = double(i);
  barrier();
  data[i] = uint(d[(i + 5) % 64]);
}
