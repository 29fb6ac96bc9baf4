//! expect = "clean"
//! title = "vectors of 8- and 16-bit numbers that may only be stored and converted"
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { i8vec4 a[]; };
layout(set = 0, binding = 1) buffer B { u16vec2 b[]; };
layout(set = 0, binding = 2) buffer C { uint8_t c[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint k = (i * 5 + 3) % 193;
  a[k] = i8vec4(ivec4(a[k]) - 1);
  b[k] = u16vec2(uvec2(b[k]) + i);
  c[k] = uint8_t(uint(c[k]) + i);
}
