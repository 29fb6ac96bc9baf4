//! expect = "clean"
//! title = "the second barrier is not needed in a loop that runs once"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint sum = 0;
  for (uint t = 0; t < 1; ++t) {
    a[i] = data[gl_WorkGroupID.x * 1024 + t * 64 + i];
    barrier();
    for (uint k = 0; k < 64; ++k) sum += a[k];
  }
  data[gl_WorkGroupID.x * 1024 + i] = sum;
}
