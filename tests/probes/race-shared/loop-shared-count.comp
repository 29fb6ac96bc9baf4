//! expect = "clean"
//! title = "the count comes from shared memory that nobody writes meanwhile"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64]; shared uint n;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) n = 1 + data[gl_WorkGroupID.x * 1024 + 512] % 4;
  barrier();
  for (uint t = 0; t < n; ++t) {
    a[i] = t;
    barrier();
    data[gl_WorkGroupID.x * 1024 + i] += a[63 - i];
    barrier();
  }
}
