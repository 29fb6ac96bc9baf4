//! expect = "racy"
//! title = "two blocks in shared memory are one memory"
#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared A { uint a[64]; } first;
shared B { uvec4 b[16]; } second;

void main() {
  const uint i = gl_LocalInvocationID.x;
  first.a[i] = i; // race
  data[gl_GlobalInvocationID.x] = second.b[(63 - i) >> 2].x; // race
}
