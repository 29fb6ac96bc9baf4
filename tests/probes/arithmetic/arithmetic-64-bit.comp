//! expect = "arithmetic"
//! zero = "0.0"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint64_t zero = uint64_t(data[i]);
  const uint64_t high = (uint64_t(data[i] + 1) << 32) | zero;
  uint64_t sum = uint64_t(100) / (high | 1);
  sum += uint64_t(100) / high;
  sum += uint64_t(100) / zero; // arithmetic
  sum += uint64_t(1) << (zero + 63);
  sum += uint64_t(1) << (zero + 64); // arithmetic
  sum += uint64_t(1) << high; // arithmetic
  data[i] = uint(sum);
}
