//! expect = "divergent"
//! title = "one workgroup diverges; what the others do is examined"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  if (g >= 150) return; // condition
  s[l >> 1] = l; // race
  barrier(); // barrier
  data[g] = s[l >> 1];
  data[g + 4000000] = 1; // bounds
}
