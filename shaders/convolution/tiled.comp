//! title = "Tile with halo"
//! claim = "copies a tile and the K-1 pixels around it to shared memory: a workgroup reads each pixel once, not K² times"
//! order = 1
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
layout(constant_id = 1) const uint K = 7;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

const uint WIDE = TILE + K - 1;

shared float tile[WIDE][WIDE];

void main() {
  const uvec2 local = gl_LocalInvocationID.xy;
  const ivec2 origin = ivec2(gl_WorkGroupID.xy * TILE) - int(K / 2);
  for (uint y = local.y; y < WIDE; y += TILE) {
    for (uint x = local.x; x < WIDE; x += TILE) {
      tile[y][x] = pixel(origin.y + int(y), origin.x + int(x));
    }
  }
  barrier();

  float sum = 0.0;
  for (uint j = 0; j < K; ++j) {
    for (uint i = 0; i < K; ++i) sum += weights[j * K + i] * tile[local.y + j][local.x + i];
  }
  const uvec2 at = gl_GlobalInvocationID.xy;
  if (at.y < ROWS && at.x < COLUMNS) result[at.y * COLUMNS + at.x] = sum;
}
