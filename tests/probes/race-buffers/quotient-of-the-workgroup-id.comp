//! expect = "racy"
//! title = "a quotient of the workgroup's id cancels the id"
// q is the workgroup's id, so every workgroup writes b[0] to b[63].
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };

void main() {
  const uint q = (gl_WorkGroupID.x * 128u) >> 7u;
  b[gl_WorkGroupID.x * 64u + gl_LocalInvocationIndex - q * 64u] = gl_WorkGroupID.x; // race
}
