//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[2][64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  uint row = 0;
  s[0][i] = i;
  barrier();
  for (uint k = 0; k < 4; ++k) {
    s[1 - row][i] = s[row][63 - i] + 1;
    row = 1 - row;
    barrier();
  }
  data[gl_GlobalInvocationID.x] = s[row][i];
}
