//! expect = "bounds"
//! title = "inside the largest buffer of an array, outside of the one that is chosen"
//! buffer = "0.0[0]=1024:iota"
//! buffer = "0.0[1]=256:iota"
//! buffer = "0.0[2]=512:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  parts[gl_WorkGroupID.x].v[i + 60] = i; // bounds
}
