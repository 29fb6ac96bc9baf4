//! title = "Separable"
//! claim = "for weights that are a column times a row: filters rows, then columns, with 2 K products per pixel instead of K²"
//! order = 2
//! covers = ["TILE", "TILE"]
//! [constants]
//! LINES = { least = 1, most = 32 }
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 32
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 32;
layout(constant_id = 1) const uint K = 7;
layout(constant_id = 2) const uint LINES = 8;  // rows of a tile that the workgroup moves at a time
layout(local_size_x_id = 0, local_size_y_id = 2) in;

const uint WIDE = TILE + K - 1;

shared float tile[WIDE][WIDE];
shared float along[WIDE][TILE];  // the tile's rows, convolved

// Weights[j][i] = down(j) · across(i), with the corner's value in `down`.
float down(uint j) { return weights[j * K]; }
float across(uint i) { return weights[i] / weights[0]; }

void main() {
  const uvec2 local = gl_LocalInvocationID.xy;
  const ivec2 origin = ivec2(gl_WorkGroupID.xy * TILE) - int(K / 2);
  for (uint y = local.y; y < WIDE; y += LINES) {
    for (uint x = local.x; x < WIDE; x += TILE) {
      tile[y][x] = pixel(origin.y + int(y), origin.x + int(x));
    }
  }
  barrier();

  for (uint y = local.y; y < WIDE; y += LINES) {
    float sum = 0.0;
    for (uint i = 0; i < K; ++i) sum += across(i) * tile[y][local.x + i];
    along[y][local.x] = sum;
  }
  barrier();

  for (uint y = local.y; y < TILE; y += LINES) {
    float sum = 0.0;
    for (uint j = 0; j < K; ++j) sum += down(j) * along[y + j][local.x];
    const uvec2 at = uvec2(gl_WorkGroupID.x * TILE + local.x, gl_WorkGroupID.y * TILE + y);
    if (at.y < ROWS && at.x < COLUMNS) result[at.y * COLUMNS + at.x] = sum;
  }
}
