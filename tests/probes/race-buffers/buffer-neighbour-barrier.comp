//! expect = "clean"
//! title = "a barrier with a fence for buffers"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint base = gl_WorkGroupID.x * 128;
  data[base + i] = i;
  memoryBarrierBuffer();
  barrier();
  data[base + 64 + i] = data[base + 63 - i];
}
