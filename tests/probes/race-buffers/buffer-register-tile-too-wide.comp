//! expect = "racy"
//! title = "a column too many"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint a = 0; a < 4; ++a) {
    for (uint b = 0; b < 5; ++b) data[(gl_WorkGroupID.x * 32 + i / 8 * 4 + a) * 64 + i % 8 * 4 + b] = t; // race
  }
}
