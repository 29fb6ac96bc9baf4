//! title = "Bt both padded"
//! claim = "like Bt padded, with DEPTH tiles per iteration; padding tile_a saves no conflict, and may lower occupancy"
//! expect = "correct"
//! order = 5
//! [inputs]
//! B = "transposed"
//! [tile]
//! constant = "TILE"
//! values = [8, 16]
//! preset = 16
//! [constants]
//! DEPTH = { least = 1, most = 256 }
//! PAD_A = { most = 64 }
//! PAD_B = { most = 64 }
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(constant_id = 1) const uint DEPTH = 15;  // tiles per step, not unrolled: few registers
layout(constant_id = 2) const uint PAD_A = 1;   // unused columns
layout(constant_id = 3) const uint PAD_B = 1;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

shared float tile_a[DEPTH][TILE][TILE + PAD_A];
shared float tile_b[DEPTH][TILE][TILE + PAD_B];  // a column of B is a row of it

void main() {
  const uint row = gl_LocalInvocationID.y;
  const uint col = gl_LocalInvocationID.x;
  const uint global_row = gl_GlobalInvocationID.y;
  const uint global_col = gl_GlobalInvocationID.x;
  const uint from_col = gl_WorkGroupID.x * TILE + row;

  float sum = 0.0;
  for (uint i = 0; i < W; i += DEPTH * TILE) {
    [[dont_unroll]] for (uint d = 0; d < DEPTH; ++d) {
      const uint k = i + d * TILE + col;
      tile_a[d][row][col] = global_row < M && k < W ? a[global_row * W + k] : 0.0;
      tile_b[d][row][col] = k < W && from_col < N ? b[from_col * W + k] : 0.0;
    }
    barrier();

    [[dont_unroll]] for (uint d = 0; d < DEPTH; ++d) {
      for (uint k = 0; k < TILE; ++k) sum += tile_a[d][row][k] * tile_b[d][col][k];
    }
    barrier();
  }

  if (global_row < M && global_col < N) c[global_row * N + global_col] = sum;
}
