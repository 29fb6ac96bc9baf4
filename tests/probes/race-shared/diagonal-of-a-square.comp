//! expect = "clean"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[8][8];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  s[y][x] = x * y;
  barrier();
  data[gl_WorkGroupID.x * 64 + i] = s[x][y] + s[x][x];
}
