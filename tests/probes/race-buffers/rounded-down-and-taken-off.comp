//! expect = "racy"
//! title = "the workgroup's first index is rounded down and taken off again"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint first = gl_WorkGroupID.x * 64u / 64u * 64u;
  b[i - first] = i; // race
}
