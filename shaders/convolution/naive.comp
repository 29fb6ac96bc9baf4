//! title = "Naive"
//! claim = "no shared memory: each invocation reads K×K pixels, and neighbouring invocations read mostly the same ones"
//! order = 0
//! covers = ["TILE", "TILE"]
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 16
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

void main() {
  const int row = int(gl_GlobalInvocationID.y);
  const int column = int(gl_GlobalInvocationID.x);
  const int side = int(SIDE);
  float sum = 0.0;
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      sum += weights[j * side + i] * pixel(row + j - side / 2, column + i - side / 2);
    }
  }
  if (row < ROWS && column < COLUMNS) result[row * COLUMNS + column] = sum;
}
