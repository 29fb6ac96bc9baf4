//! expect = "racy"
//! title = "invocations that share a word write their bytes of it"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer V { float values[]; };
layout(std430, binding = 1) buffer M { uint packed_bytes[]; };
layout(push_constant) uniform PC { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  uint b = uint(clamp(values[i], 0.0, 1.0) * 255.0);
  uint word = packed_bytes[i / 4u] & ~(0xffu << (8u * (i % 4u)));
  packed_bytes[i / 4u] = word | (b << (8u * (i % 4u)));
}
