//! title = "Only B shared"
//! claim = "register tiling, step 1: only B goes through shared memory; a workgroup reads A TILE times"
//! expect = "correct"
//! order = 6
//! [tile]
//! constant = "TILE"
//! values = [16, 32]
//! preset = 16
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

shared float tile_b[TILE][TILE];

void main() {
  const uint row = gl_LocalInvocationID.y;
  const uint col = gl_LocalInvocationID.x;
  const uint global_row = gl_GlobalInvocationID.y;
  const uint global_col = gl_GlobalInvocationID.x;
  const uint row_of_a = min(global_row, M - 1) * W;  // a row beyond the last adds to no result

  float sum = 0.0;
  for (uint i = 0; i < W; i += TILE) {
    tile_b[row][col] = i + row < W && global_col < N ? b[(i + row) * N + global_col] : 0.0;
    barrier();

    for (uint k = 0; k < TILE; ++k) {
      sum += a[row_of_a + min(i + k, W - 1)] * tile_b[k][col];
    }
    barrier();
  }

  if (global_row < M && global_col < N) c[global_row * N + global_col] = sum;
}
