//! expect = "clean"
//! title = "a tile filled by elements counted over the workgroup"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 4; ++k) {
    const uint e = i + 64 * k;
    tile[e % 16 * 16 + e / 16] = e;
  }
  barrier();
  data[t] = tile[(i * 5) % 256];
}
