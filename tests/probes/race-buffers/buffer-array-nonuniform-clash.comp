//! expect = "racy"
//! title = "two invocations choose one buffer, and one place in it"
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint d = gl_LocalInvocationIndex;
  if (d < 8) parts[nonuniformEXT(d / 2)].v[gl_WorkGroupID.x] = d; // race
}
