//! expect = "note"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint64_t b[32];

void main() {
  const uint i = gl_LocalInvocationID.x;
  b[i / 2] = uint64_t(i / 2) << 40; // race
  barrier();
  data[i] = uint(b[i / 2] >> 40);
}
