//! expect = "racy"
#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint c[4][4][4];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  const uint z = gl_LocalInvocationID.z;
  c[z][y][x] = data[gl_WorkGroupID.x * 1024 + i]; // race
  data[gl_WorkGroupID.x * 1024 + i] = c[x][z][y]; // race
}
