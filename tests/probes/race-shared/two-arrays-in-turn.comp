//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64]; shared uint b[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  for (uint t = 0; t < 3; ++t) {
    b[i] = a[(i + 1) % 64];
    barrier();
    a[i] = b[(i + 1) % 64];
    barrier();
  }
  data[gl_WorkGroupID.x * 1024 + i] = a[i];
}
