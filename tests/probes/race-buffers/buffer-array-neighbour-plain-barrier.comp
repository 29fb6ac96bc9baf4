//! expect = "racy"
//! title = "a barrier alone orders no buffer of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint d = gl_WorkGroupID.x;
  parts[d].v[i] = i; // race
  barrier();
  const uint other = parts[d].v[63 - i]; // race
  memoryBarrierBuffer();
  barrier();
  parts[d].v[i] = other;
}
