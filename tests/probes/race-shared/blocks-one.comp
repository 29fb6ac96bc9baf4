//! expect = "racy"
//! title = "one block in shared memory, without a barrier"
#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared A { uint a[64]; } only;

void main() {
  const uint i = gl_LocalInvocationID.x;
  only.a[i] = i; // race
  data[gl_GlobalInvocationID.x] = only.a[63 - i]; // race
}
