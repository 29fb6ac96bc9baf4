//! expect = "racy"
//! title = "two workgroups have the same buffer of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  parts[gl_WorkGroupID.x & 1].v[i] = i + gl_WorkGroupID.x; // race
}
