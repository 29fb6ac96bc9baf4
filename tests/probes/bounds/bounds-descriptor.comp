//! expect = "bounds"
//! title = "more than an array has buffers"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  parts[gl_WorkGroupID.x + 2].v[i & 63] = 5; // bounds
}
