//! title = "Truncated extent"
//! claim = "launch rounded down to whole tiles: invocations at the edge also move the remaining elements"
//! expect = "correct"
//! order = 5
//! extent = "truncated"
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

void move(uint row, uint col) { at[col * ROWS + row] = a[row * COLUMNS + col]; }

void main() {
  const uvec2 local = gl_LocalInvocationID.xy;
  const uvec2 origin = gl_WorkGroupID.xy * TILE;
  const uvec2 from = origin + local;
  const uvec2 to = origin.yx + local;
  // Whole tiles end here. A matrix that is smaller than a tile has no whole tile.
  const uvec2 end = uvec2(COLUMNS, ROWS) / TILE * TILE;
  const bool whole = origin.x < end.x && origin.y < end.y;

  if (whole) tile[local.y][local.x] = a[from.y * COLUMNS + from.x];
  barrier();
  if (whole) at[to.y * ROWS + to.x] = tile[local.x][local.y];

  const uvec2 last = max(end, uvec2(TILE)) - 1;  // invocations of the launch
  const bool right = from.x == last.x;
  const bool bottom = from.y == last.y;
  if (right || bottom) {
    if (right && from.y < end.y)
      for (uint col = end.x; col < COLUMNS; ++col) move(from.y, col);
    if (bottom && from.x < end.x)
      for (uint row = end.y; row < ROWS; ++row) move(row, from.x);
    if (right && bottom)
      for (uint row = end.y; row < ROWS; ++row)
        for (uint col = end.x; col < COLUMNS; ++col) move(row, col);
  }
}
