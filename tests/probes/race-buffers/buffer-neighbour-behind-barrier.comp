//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint t = gl_GlobalInvocationID.x;
  data[t] = t;
  memoryBarrierBuffer();
  barrier();
  if (i < 63) data[t + 1000] = data[t + 1];
}
