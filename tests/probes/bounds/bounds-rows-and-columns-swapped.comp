//! expect = "bounds"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[4][16];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  s[x][y] = x; // bounds
}
