//! expect = "divergent"
//! title = "some leave the loop while others come to its barriers once more"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 4; ++k) {
    s[l] = k;
    barrier(); // barrier
    if (k == 2 && l < 5) break; // condition
  }
  data[g] = s[l];
}
