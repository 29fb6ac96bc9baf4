//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  atomicMax(data[0], i);
  data[1 + gl_GlobalInvocationID.x] = i;
}
