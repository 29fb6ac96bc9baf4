//! expect = "misaligned"
//! title = "a reference to 16-byte cells is moved by 4 bytes"
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Cell { float d; };
layout(set = 0, binding = 0) buffer Data { float data[]; };
layout(push_constant) uniform Push { Cell cells; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  Cell cell = Cell(uint64_t(cells) + 4ul * uint64_t(gl_LocalInvocationIndex % 4));
  data[i] = cell.d; // misaligned
}
