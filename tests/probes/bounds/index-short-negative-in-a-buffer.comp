//! expect = "bounds"
//! title = "the first three invocations write at -3, -2 and -1 as an index of 16 bits"
//! buffer = "0.0=300000:zero"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[int16_t(int(i) - 3)] = i; // bounds
}
