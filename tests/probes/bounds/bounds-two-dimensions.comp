//! expect = "bounds"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[8][9];

void main() {
  const uvec2 at = gl_LocalInvocationID.xy;
  tile[at.y][at.x] = at.x;
  if (at.x == 0) tile[at.y][8] = 0;
  barrier();
  data[gl_LocalInvocationIndex] = tile[at.y + 1][at.x]; // bounds
}
