//! expect = "clean"
//! title = "a register tile that loops in loops fill and add to"
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared vec4 tile[16][8];
vec4 sums[4][2];

void main() {
  const uint i = gl_LocalInvocationIndex;
  [[unroll]] for (uint row = 0; row < 4; ++row) {
    [[unroll]] for (uint column = 0; column < 2; ++column) sums[row][column] = vec4(0.0);
  }
  [[unroll]] for (uint n = 0; n < 2; ++n) {
    const uint e = i + n * 64;
    tile[e / 8][e % 8] = vec4(float(e));
  }
  barrier();
  [[unroll]] for (uint k = 0; k < 4; ++k) {
    vec4 own[4];
    [[unroll]] for (uint row = 0; row < 4; ++row) own[row] = tile[k * 4 + row][i % 8];
    [[unroll]] for (uint row = 0; row < 4; ++row) {
      [[unroll]] for (uint column = 0; column < 2; ++column) {
        sums[row][column] += own[row] * float(column);
      }
    }
  }
  [[unroll]] for (uint row = 0; row < 4; ++row) {
    data[gl_GlobalInvocationID.x * 4 + row] = sums[row][0].x + sums[row][1].y;
  }
}
