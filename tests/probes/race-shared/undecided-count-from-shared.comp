//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint n;
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) n = 5;
  barrier();
  const uint turns = n;
  for (uint k = 0; k < turns; ++k) {
    s[i] = k;
    barrier();
    data[gl_GlobalInvocationID.x] = s[63 - i];
    barrier();
  }
}
