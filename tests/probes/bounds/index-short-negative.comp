//! expect = "bounds"
//! title = "a negative index of 16 bits is below a signed limit, and not inside"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[32];

void main() {
  const uint i = gl_LocalInvocationID.x;
  int16_t k = int16_t(-1);
  for (uint t = 0; t < data[gl_WorkGroupID.x * 1024 + 512]; ++t)
    k = int16_t(-1);
  if (k < int16_t(32))
    cells[int(k)] = 1; // bounds
  data[gl_WorkGroupID.x * 1024 + i] = 1;
}
