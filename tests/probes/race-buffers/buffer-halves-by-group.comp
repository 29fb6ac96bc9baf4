//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint t = gl_GlobalInvocationID.x;
  if (gl_WorkGroupID.x % 2 == 0) data[t] = 1; else data[t + 64 * gl_NumWorkGroups.x] = 2;
}
