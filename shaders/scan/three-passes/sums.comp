//! title = "Sums"
//! claim = "one workgroup scans the sums of the blocks, BLOCK at a time"
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256]
//! preset = 256
//! multiple_of = 0
#version 450
layout(binding = 2) buffer Sums { float sums[]; };
layout(push_constant) uniform Sizes { uint BLOCKS; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

shared float tile[2][BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  float before = 0.0;
  for (uint first = 0; first < BLOCKS; first += BLOCK) {
    const uint i = first + local;
    const float own = i < BLOCKS ? sums[i] : 0.0;
    uint now = 0;
    tile[now][local] = own;
    barrier();
    for (uint stride = 1; stride < BLOCK; stride *= 2) {
      const float left = local >= stride ? tile[now][local - stride] : 0.0;
      tile[1 - now][local] = tile[now][local] + left;
      now = 1 - now;
      barrier();
    }
    if (i < BLOCKS) sums[i] = before + tile[now][local] - own;
    before += tile[now][BLOCK - 1];
    barrier();
  }
}
