//! expect = "clean"
//! title = "indices of 8 and 16 bits that stay inside"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  cells[uint8_t(i)] = i;
  barrier();
  data[gl_GlobalInvocationID.x] = cells[int16_t(63u - i)];
}
