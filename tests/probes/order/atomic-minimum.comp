//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint least;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) least = 1000;
  barrier();
  atomicMin(least, 64 - i);
  barrier();
  data[gl_GlobalInvocationID.x] = least;
}
