//! expect = "clean"
//! title = "buffers of an array by their numbers, each inside its own length"
//! buffer = "0.0[0]=1024:iota"
//! buffer = "0.0[1]=256:iota"
//! buffer = "0.0[2]=512:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_GlobalInvocationID.x;
  parts[0].v[i] = i;
  if (i < 64) parts[1].v[i] = i;
  if (i < 128) parts[2].v[i] = i;
}
