//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 4; ++k) {
    if (k % 2 == 1) continue;
    s[i] = k;
    barrier();
  }
  data[gl_GlobalInvocationID.x] = s[i];
}
