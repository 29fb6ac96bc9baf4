//! expect = "racy"
//! title = "the next workgroup writes the buffer that is read"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint d = gl_WorkGroupID.x;
  parts[d].v[i] = parts[1 + d].v[i]; // race
}
