//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[2][64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[0][i] = i;
  barrier();
  data[gl_GlobalInvocationID.x] = s[1][i]; // uninitialized
}
