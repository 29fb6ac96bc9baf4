//! expect = "clean"
//! title = "behind the last turn nobody writes"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint k = 0; k < 4; ++k) {
    s[i] = k + i;
    barrier();
    data[gl_GlobalInvocationID.x * 4 + k] = s[63 - i];
    if (k != 3) barrier();
  }
}
