//! title = "Deep, padded"
//! claim = "96 products per iteration; the padding saves no bank conflict, and lowers occupancy"
//! expect = "correct"
//! order = 5
//! [tile]
//! constant = "TILE"
//! values = [8, 16]
//! preset = 8
//! [constants]
//! STEP = { least = 1, most = 1024, multiple_of = "TILE" }
//! PAD = { most = 64 }
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 8;
layout(constant_id = 1) const uint STEP = 96;   // products per step
layout(constant_id = 2) const uint PAD = 4;     // unused columns; rows start at multiples of 16 bytes
layout(local_size_x_id = 0, local_size_y_id = 0) in;

const uint DEPTH = STEP / TILE;  // tiles per step

shared float tile_a[DEPTH][TILE][TILE + PAD];
shared float tile_b[DEPTH][TILE][TILE + PAD];

void main() {
  const uint row = gl_LocalInvocationID.y;
  const uint col = gl_LocalInvocationID.x;
  const uint global_row = gl_GlobalInvocationID.y;
  const uint global_col = gl_GlobalInvocationID.x;

  float sum = 0.0;
  for (uint i = 0; i < W; i += STEP) {
    [[dont_unroll]] for (uint d = 0; d < DEPTH; ++d) {
      const uint k = i + d * TILE;
      tile_a[d][row][col] = global_row < M && k + col < W ? a[global_row * W + k + col] : 0.0;
      tile_b[d][row][col] = k + row < W && global_col < N ? b[(k + row) * N + global_col] : 0.0;
    }
    barrier();

    [[dont_unroll]] for (uint d = 0; d < DEPTH; ++d) {
      for (uint k = 0; k < TILE; ++k) sum += tile_a[d][row][k] * tile_b[d][k][col];
    }
    barrier();
  }

  if (global_row < M && global_col < N) c[global_row * N + global_col] = sum;
}
