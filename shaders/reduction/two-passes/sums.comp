//! title = "Sums"
//! claim = "one workgroup adds all sums: each invocation takes every BLOCK-th one, then a tree combines them"
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 0
#version 450
layout(binding = 1) restrict writeonly buffer OutputSum { float sum_of_all; };
layout(binding = 2) restrict readonly buffer Partial { float partial[]; };
layout(push_constant) uniform Sizes { uint SUMS; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

shared float tile[BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  float sum = 0.0;
  for (uint i = local; i < SUMS; i += BLOCK) sum += partial[i];
  tile[local] = sum;
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (local < stride) tile[local] += tile[local + stride];
    barrier();
  }
  if (local == 0) sum_of_all = tile[0];
}
