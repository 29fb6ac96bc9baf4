//! expect = "clean"
//! title = "other members of the buffers of an array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint count; uint pad[3]; uvec4 v[8]; } parts[4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint d = gl_WorkGroupID.x;
  if (i == 0) parts[d].count = 8;
  if (i > 0 && i < 9) parts[d].v[i - 1] = uvec4(i);
}
