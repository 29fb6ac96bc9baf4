//! expect = "divergent"
//! title = "the race before the parting is reported"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  s[l >> 1] = l; // race
  if (l < 8) // condition
    barrier(); // barrier
  data[g] = 1;
}
