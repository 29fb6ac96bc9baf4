//! expect = "racy"
//! title = "a member of each buffer of an array that all write"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint count; uint pad[3]; uvec4 v[8]; } parts[4];

void main() {
  const uint d = gl_WorkGroupID.x;
  parts[d].count = gl_LocalInvocationIndex; // race
}
