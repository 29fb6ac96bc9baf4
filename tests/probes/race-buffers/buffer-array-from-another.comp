//! expect = "clean"
//! title = "what is read is in another buffer of the array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[6];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint d = gl_WorkGroupID.x;
  parts[d].v[i] = parts[3 + d].v[63 - i];
}
