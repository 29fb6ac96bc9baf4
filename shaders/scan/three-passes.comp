//! title = "Three passes"
//! claim = "three launches: scan the blocks, scan their sums, add these to the blocks. Each element is read and written twice"
//! order = 3
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256]
//! preset = 256
//! multiple_of = 0
//! [[scratch]]
//! name = "sums"
//! words = 1
//! [[launch]]
//! title = "Blocks"
//! [[launch]]
//! kernel = "three-passes/sums"
//! groups = 1
//! push = "groups1"
//! [[launch]]
//! kernel = "three-passes/add"
#version 450
layout(binding = 0) restrict readonly buffer InputA { float a[]; };
layout(binding = 1) restrict writeonly buffer OutputS { float s[]; };
layout(binding = 2) restrict writeonly buffer Sums { float sums[]; };
layout(push_constant) uniform Sizes { uint N; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

shared float tile[2][BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint i = gl_GlobalInvocationID.x;
  uint now = 0;
  tile[now][local] = i < N ? a[i] : 0.0;
  barrier();
  for (uint stride = 1; stride < BLOCK; stride *= 2) {
    const float left = local >= stride ? tile[now][local - stride] : 0.0;
    tile[1 - now][local] = tile[now][local] + left;
    now = 1 - now;
    barrier();
  }
  if (i < N) s[i] = tile[now][local];
  if (local == BLOCK - 1) sums[gl_WorkGroupID.x] = tile[now][local];
}
