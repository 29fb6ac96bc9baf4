//! expect = "racy"
//! title = "workgroups race before a loop that the CPU device ends"
//! groups = 4
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) buffer Last { uint last[]; };

void main() {
  const uint l = gl_LocalInvocationIndex;
  last[l] = gl_WorkGroupID.x; // race
  uint a = 0;
  for (uint i = 0; i < 2000000; ++i)
    a = a * 3 + i;
  o[gl_GlobalInvocationID.x] = a;
}
