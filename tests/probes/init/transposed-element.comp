//! expect = "uninitialized"
//! title = "an invocation writes a row's element and reads a column's"
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint s[4][4];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[0][l] = l;
  b[gl_GlobalInvocationID.x] = s[l][0]; // uninitialized
}
