//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (gl_GlobalInvocationID.x < 100) tile[i] = i;
  barrier();
  data[gl_GlobalInvocationID.x] = tile[63 - i]; // uninitialized
}
