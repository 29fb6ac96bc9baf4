//! expect = "bounds"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = 0;
  barrier();
  const int j = int(i) - 1;
  uint x = a[j]; // bounds
  data[i] = x;
}
