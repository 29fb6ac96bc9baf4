//! expect = "clean"
//! title = "nested guards, all taken by whole workgroups"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  s[l] = l;
  if (g < 128) { // condition
    barrier(); // barrier
    if (g >= 64) { // condition
      data[g] = s[63 - l];
      barrier(); // barrier
      s[l] = l + 1;
    }
  }
  data[g] = l;
}
