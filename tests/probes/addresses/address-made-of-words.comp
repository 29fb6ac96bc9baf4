//! expect = "incomplete"
//! title = "an address that nobody gave"
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Words { uint values[]; };
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[i] = Words(uvec2(data[i], 1u)).values[5];
}
