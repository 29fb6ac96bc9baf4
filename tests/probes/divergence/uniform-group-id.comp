//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (gl_WorkGroupID.x % 2 == 0) {
    a[i] = 1;
    barrier();
    data[gl_GlobalInvocationID.x] = a[63 - i];
  }
}
