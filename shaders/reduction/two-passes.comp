//! title = "Two passes"
//! claim = "a second launch adds the sums of all workgroups; it starts when the first launch has finished"
//! order = 2
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 0
//! [[scratch]]
//! name = "partial"
//! words = 1
//! [[launch]]
//! title = "Blocks"
//! [[launch]]
//! kernel = "two-passes/sums"
//! groups = 1
//! push = "groups1"
#version 450
layout(binding = 0) restrict readonly buffer InputA { float a[]; };
layout(binding = 2) restrict writeonly buffer Partial { float partial[]; };
layout(push_constant) uniform Sizes { uint N; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

shared float tile[BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint i = gl_GlobalInvocationID.x;
  tile[local] = i < N ? a[i] : 0.0;
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (local < stride) tile[local] += tile[local + stride];
    barrier();
  }
  if (local == 0) partial[gl_WorkGroupID.x] = tile[0];
}
