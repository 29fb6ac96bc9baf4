//! expect = "clean"
//! title = "a permutation by branches"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i % 2 == 0) a[i + 1] = i; else a[i - 1] = i;
  barrier();
  data[i] = a[i];
}
