//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint sum = 0;
  for (uint k = 0; k < 4; ++k) {
    tile[i] = k;
    barrier();
    sum += tile[63 - i];
    barrier();
  }
  data[gl_GlobalInvocationID.x] = sum;
}
