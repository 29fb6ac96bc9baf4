//! expect = "racy"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint t[10][10];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  const uint z = gl_LocalInvocationID.z;
  t[y + 1][x + 1] = data[gl_WorkGroupID.x * 1024 + y * 8 + x]; // race
  if (y == 0) t[8][x + 1] = 9; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + y * 8 + x] = t[y][x + 1] + t[y + 2][x + 1]; // uninitialized
}
