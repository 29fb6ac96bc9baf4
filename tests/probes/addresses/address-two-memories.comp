//! expect = "clean"
//! title = "two references are two memories: one is read where the other is written"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer List { uint data[]; };
layout(push_constant) uniform Push { List source; List target; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  target.data[i] = source.data[i + 1u] + source.data[i];
}
