//! title = "Tiled, +1 column"
//! claim = "1 barrier; one unused column per row spreads a column of the tile over different banks"
//! expect = "correct"
//! order = 2
//! covers = ["TILE", "TILE"]
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 32
//! multiple_of = 8
//! [constants]
//! TILE = { least = 1, most = 256, multiple_of = "LINES" }
//! LINES = { least = 1, most = 256 }
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 32;
layout(constant_id = 1) const uint LINES = 8;  // rows of a tile that the workgroup moves at a time
layout(local_size_x_id = 0, local_size_y_id = 1) in;

shared float tile[TILE][TILE + 1];

void main() {
  const uvec2 local = gl_LocalInvocationID.xy;
  const uvec2 origin = gl_WorkGroupID.xy * TILE;

  const uvec2 from = origin + local;
  for (uint line = 0; line < TILE; line += LINES) {
    if (from.y + line < ROWS && from.x < COLUMNS)
      tile[local.y + line][local.x] = a[(from.y + line) * COLUMNS + from.x];
  }
  barrier();

  const uvec2 to = origin.yx + local;
  for (uint line = 0; line < TILE; line += LINES) {
    if (to.y + line < COLUMNS && to.x < ROWS)
      at[(to.y + line) * ROWS + to.x] = tile[local.x][local.y + line];
  }
}
