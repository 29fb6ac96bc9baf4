//! expect = "racy"
//! title = "one buffer of an array by its number, and one that is chosen"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint first = parts[0].v[i]; // race
  parts[gl_WorkGroupID.x].v[i] = first; // race
}
