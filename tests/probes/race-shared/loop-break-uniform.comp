//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint t = 0; t < 100; ++t) {
    if (t * 3 > 20) break;
    a[i] = t;
    barrier();
    data[gl_WorkGroupID.x * 1024 + i] += a[63 - i];
    barrier();
  }
}
