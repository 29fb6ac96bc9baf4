//! expect = "clean"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(constant_id = 3) const uint N = 8;
shared uint t[N][N + 1];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_LocalInvocationID.y;
  const uint z = gl_LocalInvocationID.z;
  t[y][x] = data[gl_WorkGroupID.x * 1024 + y * N + x];
  barrier();
  data[gl_WorkGroupID.x * 1024 + y * N + x] = t[x][y];
}
