//! expect = "racy"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint8_t b[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  b[i] = uint8_t(i); // race
  data[gl_WorkGroupID.x * 1024 + i] = uint(b[63 - i]); // race
}
