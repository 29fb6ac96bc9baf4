//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint base = gl_WorkGroupID.x * 64;
  data[base + i] = i;
  memoryBarrierBuffer();
  barrier();
  const uint other = data[base + i % 8 * 8 + i / 8]; // race
  data[base + i] = other; // race
}
