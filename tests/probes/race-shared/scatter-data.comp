//! expect = "clean"
//! title = "a permutation that only the data knows: iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[data[i] % 64] = i;
  barrier();
  data[64 + gl_GlobalInvocationID.x] = a[i];
}
