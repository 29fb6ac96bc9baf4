//! expect = "clean"
//! title = "the same sum in two places, each behind a guard of its own"
//! buffer = "0.0=4096:zero"
//! buffer = "0.1=4096:zero"
#version 450
layout(local_size_x = 20) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1) buffer C { uint c[]; };

void main() {
  const uint x = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.x;
  const uint first = gl_WorkGroupID.y;
  if (first + x < 16u)
    b[row * 16u + (first + x)] = row;
  if (first + x < 16u)
    c[row * 16u + (first + x)] = row;
}
