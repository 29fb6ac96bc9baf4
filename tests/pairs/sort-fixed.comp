//! expect = "clean"
//! title = "odd-even sort"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Keys { uint keys[]; };
shared uint s[128];
void main() {
  uint l = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * 128u;
  s[l] = keys[first + l];
  s[l + 64u] = keys[first + l + 64u];
  barrier();
  for (uint turn = 0u; turn < 128u; ++turn) {
    uint a = 2u * l + (turn & 1u);
    if (a + 1u < 128u && s[a] > s[a + 1u]) {
      uint t = s[a];
      s[a] = s[a + 1u];
      s[a + 1u] = t;
    }
    barrier();
  }
  barrier();
  keys[first + l] = s[l];
  keys[first + l + 64u] = s[l + 64u];
}
