//! title = "Padded extent"
//! claim = "launch rounded up to whole tiles: one invocation per element, and each checks that it is inside"
//! expect = "correct"
//! order = 4
//! extent = "padded"
//! [tile]
//! constant = "TILE"
//! values = [16, 32]
//! preset = 16
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

shared float tile[TILE][TILE + 1];

void main() {
  const uvec2 local = gl_LocalInvocationID.xy;
  const uvec2 origin = gl_WorkGroupID.xy * TILE;

  const uvec2 from = origin + local;
  if (from.y < ROWS && from.x < COLUMNS) tile[local.y][local.x] = a[from.y * COLUMNS + from.x];
  barrier();

  const uvec2 to = origin.yx + local;
  if (to.y < COLUMNS && to.x < ROWS) at[to.y * ROWS + to.x] = tile[local.x][local.y];
}
