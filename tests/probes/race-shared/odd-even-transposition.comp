//! expect = "clean"
//! title = "sorting by exchanges of neighbours"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[i] = 64 - i;
  barrier();
  for (uint turn = 0; turn < 64; ++turn) {
    const uint low = 2 * (i / 2) + turn % 2;
    if (i % 2 == 0 && low + 1 < 64) {
      const uint a = s[low];
      const uint b = s[low + 1];
      s[low] = min(a, b);
      s[low + 1] = max(a, b);
    }
    barrier();
  }
  data[gl_GlobalInvocationID.x] = s[i];
}
