//! expect = "bounds"
//! title = "a write at an index of 8 bits that is always negative"
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
  cells[int8_t(i + 128u)] = 0x41414141u + i; // bounds
  barrier();
  data[gl_GlobalInvocationID.x] = cells[i];
}
