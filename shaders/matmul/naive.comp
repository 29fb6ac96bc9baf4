//! title = "Naive"
//! claim = "no shared memory: each invocation reads a whole row of A and a whole column of B"
//! expect = "correct"
//! order = 0
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 16
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

void main() {
  const uint row = gl_GlobalInvocationID.y;
  const uint col = gl_GlobalInvocationID.x;
  if (row >= M || col >= N) return;

  float sum = 0.0;
  for (uint k = 0; k < W; ++k) {
    sum += a[row * W + k] * b[k * N + col];
  }
  c[row * N + col] = sum;
}
