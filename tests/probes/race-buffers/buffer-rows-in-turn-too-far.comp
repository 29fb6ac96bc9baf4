//! expect = "racy"
//! title = "rows of a tile in turn, one turn too many: the next tile begins there"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  for (uint y = gl_LocalInvocationID.y; y < 40; y += 8) {
    data[(gl_WorkGroupID.x * 32 + y) * 8 + gl_LocalInvocationID.x] = y; // race
  }
}
