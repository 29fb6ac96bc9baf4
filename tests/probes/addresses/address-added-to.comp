//! expect = "bounds"
//! title = "an address that numbers are added to"
//! buffer = "words=147456"
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Words { uint values[]; };
layout(push_constant) uniform Push { Words words; };
layout(set = 0, binding = 0) buffer Target { uint target[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  Words there = Words(uint64_t(words) + uint64_t(i) * 1024ul);
  target[i] = there.values[0];  // bounds
}
