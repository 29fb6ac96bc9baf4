//! expect = "clean"
//! title = "as many buffers as are bound to an open array"
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[];

void main() {
  const uint i = gl_LocalInvocationIndex;
  parts[gl_WorkGroupID.x + 1].v[i] = i;
}
