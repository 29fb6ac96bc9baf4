//! expect = "clean"
//! title = "atomics on the buffers of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  atomicAdd(parts[gl_WorkGroupID.x & 1].v[0], 1);
}
