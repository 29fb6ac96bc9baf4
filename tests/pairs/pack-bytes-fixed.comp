//! expect = "clean"
//! title = "each invocation writes whole words"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer V { float values[]; };
layout(std430, binding = 1) buffer M { uint packed_bytes[]; };
layout(push_constant) uniform PC { uint n; };
void main() {
  uint w = gl_GlobalInvocationID.x;
  if (w * 4u >= n) return;
  uint word = 0u;
  for (uint k = 0u; k < 4u && w * 4u + k < n; ++k)
    word |= uint(clamp(values[w * 4u + k], 0.0, 1.0) * 255.0) << (8u * k);
  packed_bytes[w] = word;
}
