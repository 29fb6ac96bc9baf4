//! expect = "divergent"
//! title = "the last invocation of the launch leaves alone"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  if (g >= 191) return; // condition
  s[l] = g;
  barrier(); // barrier
  data[g] = s[l];
}
