//! expect = "clean"
//! title = "workgroups divide by a quotient of their id, and write parts of their own"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };

void main() {
  const uint row = gl_WorkGroupID.x / 2u;
  const uint column = gl_WorkGroupID.x % 2u;
  b[row * 128u + column * 64u + gl_LocalInvocationIndex] = row;
}
