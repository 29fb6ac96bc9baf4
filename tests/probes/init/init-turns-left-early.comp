//! expect = "uninitialized"
//! title = "the loop that fills a tile has a second way out, which data decides"
//! zero = "0.0"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint stop = data[4096];
  for (uint k = 0; k < 4; ++k) {
    if (k > stop + 1) break;
    tile[k * 64 + i] = k;
  }
  barrier();
  data[gl_GlobalInvocationID.x] = tile[(i * 37) % 256]; // uninitialized
}
