//! expect = "racy"
//! title = "workgroups write one memory behind a reference"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer List { uint data[]; };
layout(push_constant) uniform Push { List list; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  list.data[i + 1u] = list.data[i] + gl_WorkGroupID.x;  // race
}
