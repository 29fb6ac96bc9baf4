//! expect = "divergent"
//! title = "behind a barrier that only some reach nothing is reported"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  s[l] = l;
  barrier();
  if (l < 8) { // condition
    data[g] = s[l];
    barrier(); // barrier
    s[0] = l;
    data[g + 4000000] = s[l];
  }
  barrier();
  s[1] = l;
  data[g + 5000000] = s[l];
}
