//! expect = "bounds"
//! title = "a stride too wide writes behind the memory that a reference leads to"
//! buffer = "list=147456"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer List { uint data[]; };
layout(push_constant) uniform Push { List list; };

void main() {
  list.data[gl_GlobalInvocationID.x * 1000u] = 1u;  // bounds
}
