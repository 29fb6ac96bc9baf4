//! expect = "clean"
//! title = "the last step is a whole one: no row is past the end"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[32][8];

void main() {
  const uvec2 at = gl_LocalInvocationID.xy;
  for (uint line = 0; line < 30; line += 8) {
    tile[at.y + line][at.x] = at.x;
  }
  barrier();
  data[gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex] = tile[31 - at.x][at.y];
}
