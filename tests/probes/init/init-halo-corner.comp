//! expect = "uninitialized"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[10][10];

void main() {
  const uvec2 at = gl_LocalInvocationID.xy + 1;
  tile[at.y][at.x] = 1;
  if (at.x == 1) tile[at.y][0] = 0;
  if (at.x == 8) tile[at.y][9] = 0;
  if (at.y == 1) tile[0][at.x] = 0;
  if (at.y == 8) tile[9][at.x] = 0;
  barrier();
  data[gl_WorkGroupID.x * 1024 + gl_LocalInvocationIndex] = tile[at.y - 1][at.x - 1] + tile[at.y + 1][at.x + 1]; // uninitialized
}
