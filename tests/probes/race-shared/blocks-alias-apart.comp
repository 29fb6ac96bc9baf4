//! expect = "clean"
//! title = "two blocks in shared memory, other bytes of it"
#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared A { uint a[64]; } first;
shared B { uint before[64]; uint b[64]; } second;

void main() {
  const uint i = gl_LocalInvocationID.x;
  second.b[i] = i;
  barrier();
  first.a[i] = i;
  data[gl_GlobalInvocationID.x] = second.b[63 - i];
}
