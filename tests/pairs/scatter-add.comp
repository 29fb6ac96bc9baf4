//! expect = "racy"
//! title = "adds to rows that an index chooses"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Rows { uint rows[]; };
layout(std430, binding = 1) readonly buffer Values { uint values[]; };
layout(std430, binding = 2) buffer Sums { uint sums[]; };
layout(push_constant) uniform Size { uint count; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) sums[rows[i]] += values[i];
}
