//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = 0;
  uint t = 0;
  do {
    a[i] += t;
    barrier();
    data[gl_WorkGroupID.x * 1024 + i] += a[63 - i];
    barrier();
    ++t;
  } while (t < 3);
}
