//! expect = "clean"
//! title = "each counts from its own number to its own end, and all as far"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint n; uint step; };
shared uint s[32];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint first = gl_WorkGroupID.x * n + i;
  uint sum = 0;
  for (uint t = first; t < (gl_WorkGroupID.x + 1) * n + i; t += step) {
    s[i] = t;
    barrier();
    sum += s[31 - i];
    barrier();
  }
  data[first] = sum;
}
