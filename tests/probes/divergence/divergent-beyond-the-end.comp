//! expect = "divergent"
//! title = "the guard that every textbook begins with"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (gl_GlobalInvocationID.x >= 100) return; // condition
  s[i] = i;
  barrier(); // barrier
  data[gl_GlobalInvocationID.x] = s[63 - i];
}
