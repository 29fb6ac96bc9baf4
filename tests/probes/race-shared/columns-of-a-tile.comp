//! expect = "clean"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[8][32];

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint row = 0; row < 8; ++row) s[row][i] = row + i;
  barrier();
  uint sum = 0;
  for (uint k = 0; k < 32; ++k) sum += s[i % 8][k];
  data[gl_GlobalInvocationID.x] = sum;
}
