//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) return; // condition
  a[i] = 1;
  barrier(); // barrier
  data[i] = a[63 - i];
}
