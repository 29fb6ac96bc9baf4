//! expect = "racy"
//! title = "the same, one less a turn"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 4; ++k) {
    const uint e = i + 63 * k;
    tile[e % 16 * 16 + e / 16] = i; // race
  }
  barrier();
  data[t] = i;
}
