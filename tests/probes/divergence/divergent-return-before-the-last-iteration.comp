//! expect = "divergent"
//! title = "some return where a barrier follows"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  s[l] = l;
  for (uint k = 0; k < 4; ++k) {
    if (k == 2) {
      if (l >= 8) return; // condition
    } else {
      barrier(); // barrier
    }
  }
  data[g] = s[l];
}
