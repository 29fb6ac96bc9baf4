//! expect = "clean"
//! title = "a barrier with a fence for buffers orders those of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint d = gl_WorkGroupID.x;
  parts[d].v[i] = i;
  memoryBarrierBuffer();
  barrier();
  const uint other = parts[d].v[63 - i];
  memoryBarrierBuffer();
  barrier();
  parts[d].v[i] = other;
}
