//! expect = "clean"
//! title = "one buffer of an array by its number, another one is chosen"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint last = parts[3].v[i];
  parts[gl_WorkGroupID.x].v[i] = last;
}
