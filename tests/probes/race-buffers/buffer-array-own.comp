//! expect = "clean"
//! title = "each workgroup has a buffer of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  parts[gl_WorkGroupID.x].v[i] = i;
}
