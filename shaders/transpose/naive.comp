//! title = "Naive"
//! claim = "no shared memory: reads along rows, but writes along columns, ROWS floats apart"
//! expect = "correct"
//! order = 0
//! extent = "untiled"
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
  if (row < ROWS && col < COLUMNS) at[col * ROWS + row] = a[row * COLUMNS + col];
}
