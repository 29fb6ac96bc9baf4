//! title = "Tiled"
//! claim = "2 barriers per iteration; reads each element of A and B from global memory TILE times less often"
//! expect = "correct"
//! order = 1
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 16
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

shared float tile_a[TILE][TILE];
shared float tile_b[TILE][TILE];

void main() {
  const uint row = gl_LocalInvocationID.y;
  const uint col = gl_LocalInvocationID.x;
  const uint global_row = gl_GlobalInvocationID.y;
  const uint global_col = gl_GlobalInvocationID.x;

  float sum = 0.0;
  for (uint i = 0; i < W; i += TILE) {
    // Beyond the edge, a tile contains zeros, which add nothing.
    tile_a[row][col] = global_row < M && i + col < W ? a[global_row * W + i + col] : 0.0;
    tile_b[row][col] = i + row < W && global_col < N ? b[(i + row) * N + global_col] : 0.0;
    barrier();

    for (uint k = 0; k < TILE; ++k) {
      sum += tile_a[row][k] * tile_b[k][col];
    }
    barrier();
  }

  if (global_row < M && global_col < N) c[global_row * N + global_col] = sum;
}
