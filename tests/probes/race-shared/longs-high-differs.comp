//! expect = "racy"
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint64_t b[32];

void main() {
  const uint i = gl_LocalInvocationID.x;
  b[i / 2] = uint64_t(i) << 40; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = uint(b[i / 2] >> 40);
}
