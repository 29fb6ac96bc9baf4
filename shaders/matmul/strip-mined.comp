//! title = "Strip-mined"
//! claim = "register tiling, step 2: each invocation computes T2 columns in turn, and reads its row of A again for each"
//! expect = "correct"
//! order = 7
//! covers = ["T2", "T1"]
//! [inputs]
//! A = "transposed"
//! [tile]
//! constant = "T2"
//! values = [16]
//! preset = 16
//! [constants]
//! T2 = { least = 1, most = 1024 }
//! T1 = { least = 1, most = 2048 }
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint T2 = 16;   // columns of C per workgroup, the strip
layout(constant_id = 1) const uint T1 = 128;  // rows of C per workgroup, an invocation each
layout(local_size_x_id = 1) in;

shared float tile_b[T1];  // of one column

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.y * T1 + local;
  const uint row_of_a = min(row, M - 1);  // a row beyond the last adds to no result

  for (uint j = 0; j < T2; ++j) {
    const uint col = gl_WorkGroupID.x * T2 + j;
    float sum = 0.0;
    for (uint i = 0; i < W; i += T1) {
      tile_b[local] = i + local < W && col < N ? b[(i + local) * N + col] : 0.0;
      barrier();

      // A is stored by columns: neighbouring invocations, which have different rows, read neighbouring elements.
      for (uint k = 0; k < T1; ++k) {
        sum += a[min(i + k, W - 1) * M + row_of_a] * tile_b[k];
      }
      barrier();
    }
    if (row < M && col < N) c[row * N + col] = sum;
  }
}
