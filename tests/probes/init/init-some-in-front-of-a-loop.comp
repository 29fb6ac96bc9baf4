//! expect = "clean"
//! title = "half the workgroup fills the tile, in front of a loop of barriers"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i < 32) {
    tile[i] = i;
    tile[i + 32] = i;
  }
  uint sum = 0;
  for (uint turn = 0; turn < gl_NumWorkGroups.x; ++turn) {
    barrier();
    sum += tile[(i * 37 + turn) % 64];
    barrier();
  }
  data[gl_GlobalInvocationID.x] = sum;
}
