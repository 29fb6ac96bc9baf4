//! expect = "racy"
//! title = "an atomic, and another workgroup's write to the same buffer of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint d = gl_WorkGroupID.x >> 1; // 0 for the first two
  if (gl_LocalInvocationIndex == 0) {
    if (gl_WorkGroupID.x == 0) atomicAdd(parts[d].v[0], 1); // race
    if (gl_WorkGroupID.x == 1) parts[d].v[0] = 7; // race
  }
}
