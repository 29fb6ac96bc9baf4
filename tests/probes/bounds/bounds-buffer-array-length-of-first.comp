//! expect = "bounds"
//! title = "the length of another buffer of the array is asked"
//! buffer = "0.0[0]=1024:iota"
//! buffer = "0.0[1]=256:iota"
//! buffer = "0.0[2]=512:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint d = gl_WorkGroupID.x;
  const uint at = gl_LocalInvocationIndex + 60;
  if (at < parts[0].v.length()) parts[d].v[at] = at; // bounds
}
