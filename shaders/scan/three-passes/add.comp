//! title = "Add"
//! claim = "adds to each element the sum of all blocks before its own"
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256]
//! preset = 256
//! multiple_of = 0
#version 450
layout(binding = 1) buffer OutputS { float s[]; };
layout(binding = 2) restrict readonly buffer Sums { float sums[]; };
layout(push_constant) uniform Sizes { uint N; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < N) s[i] += sums[gl_WorkGroupID.x];
}
