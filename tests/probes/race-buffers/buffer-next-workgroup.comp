//! expect = "racy"
//! title = "a barrier orders no other workgroup"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[i] = i; // race
  memoryBarrierBuffer();
  barrier();
  data[256 + i] = data[i + 64]; // race
}
