//! expect = "racy"
//! title = "bits of one word are set without an atomic"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer V { float values[]; };
layout(std430, binding = 1) buffer M { uint mask[]; };
layout(push_constant) uniform PC { uint n; float threshold; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  if (values[i] > threshold) mask[i >> 5] |= 1u << (i & 31u);
}
