//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[65];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[min(i + data[i], 63u) / 64 + i] = 1;
}
