//! expect = "uninitialized"
//! title = "an invocation writes a row's element of a local array and reads a column's"
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };

void main() {
  const uint l = gl_LocalInvocationIndex;
  uint p[4][4];
  p[0][l] = l;
  b[gl_GlobalInvocationID.x] = p[l][0]; // uninitialized
}
