//! expect = "clean"
//! title = "all workgroups have rows of their own in a buffer that data chooses"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];
layout(set = 0, binding = 4) readonly buffer Given { uint given[]; };

void main() {
  const uint d = given[0] & 3;
  parts[d].v[gl_GlobalInvocationID.x] = d;
}
