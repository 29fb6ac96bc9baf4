//! expect = "bounds"
//! title = "100 + i is negative as an index of 8 bits from i = 28 on"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = i; k < 256u; k += 64u)
    cells[k] = k;
  barrier();
  data[gl_GlobalInvocationID.x] = cells[int8_t(i + 100u)]; // bounds
}
