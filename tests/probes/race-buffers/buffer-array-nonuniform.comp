//! expect = "clean"
//! title = "invocations choose buffers of their own, and one place in each"
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint d = gl_LocalInvocationIndex;
  if (d < 4) parts[nonuniformEXT(d)].v[gl_WorkGroupID.x] = d;
}
