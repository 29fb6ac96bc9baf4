//! title = "Register strip"
//! claim = "register tiling, step 3: the loop over the strip is innermost; an element of A in a register serves T2 results"
//! expect = "correct"
//! order = 8
//! covers = ["T2", "T1"]
//! [inputs]
//! A = "transposed"
//! [tile]
//! constant = "T2"
//! values = [16, 32]
//! preset = 16
//! [constants]
//! T2 = { least = 1, most = 64 }
//! T1 = { least = 1, most = 2048 }
//! STEP = { least = 1, most = 32 }
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint T2 = 16;   // columns of C per workgroup, the strip
layout(constant_id = 1) const uint T1 = 128;  // rows of C per workgroup, an invocation each
layout(constant_id = 2) const uint STEP = 8;  // products per step
layout(local_size_x_id = 1) in;

shared float tile_b[STEP][T2];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y * T1 + local;
  const uint row_of_a = min(row, M - 1);  // a row beyond the last adds to no result
  const uint first_col = gl_WorkGroupID.x * T2;

  float sum[T2];
  [[unroll]] for (uint j = 0; j < T2; ++j) sum[j] = 0.0;
  for (uint i = 0; i < W; i += STEP) {
    for (uint e = local; e < STEP * T2; e += T1) {
      const uint k = i + e / T2;
      const uint col = first_col + e % T2;
      tile_b[e / T2][e % T2] = k < W && col < N ? b[k * N + col] : 0.0;
    }
    barrier();

    // A is stored by columns: neighbouring invocations, which have different rows, read neighbouring elements.
    [[unroll]] for (uint k = 0; k < STEP; ++k) {
      const float x = a[min(i + k, W - 1) * M + row_of_a];
      [[unroll]] for (uint j = 0; j < T2; ++j) sum[j] += x * tile_b[k][j];
    }
    barrier();
  }

  [[unroll]] for (uint j = 0; j < T2; ++j) {
    if (row < M && first_col + j < N) c[row * N + first_col + j] = sum[j];
  }
}
