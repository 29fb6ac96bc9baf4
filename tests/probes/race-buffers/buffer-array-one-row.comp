//! expect = "racy"
//! title = "all workgroups have one row in a buffer that data chooses"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];
layout(set = 0, binding = 4) readonly buffer Given { uint given[]; };

void main() {
  const uint d = given[0] & 3;
  parts[d].v[gl_LocalInvocationIndex] = gl_WorkGroupID.x; // race
}
