//! title = "Vectors"
//! claim = "moves 4 elements at a time, and workgroups that follow each other write along the same rows"
//! expect = "correct"
//! order = 3
//! covers = [32, 32]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
#include "vectors.glsl"

layout(constant_id = 0) const uint ALIGNED = 0;
layout(local_size_x = 8, local_size_y = 8) in;

shared float tile[32][33];

// By vectors: 8 of a row, 8 rows at once.
void move_vectors(uvec2 from) {
  const uvec2 local = gl_LocalInvocationID.xy;
  const uint x = local.x * 4;
  vec4 v[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    v[i] = vec4(0.0);
    const uint row = from.y + local.y + i * 8;
    if (row < ROWS && from.x + x < COLUMNS) v[i] = a4[(row * COLUMNS + from.x + x) / 4];
  }
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    [[unroll]] for (uint j = 0; j < 4; ++j) tile[local.y + i * 8][x + j] = v[i][j];
  }
  barrier();
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    const uint y = local.y + i * 8;
    if (from.x + y < COLUMNS && from.y + x < ROWS)
      at4[((from.x + y) * ROWS + from.y + x) / 4] =
          vec4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
  }
}

void move_elements(uvec2 from) {
  const uint self = gl_LocalInvocationIndex;
  const uint x = self % 32;
  for (uint y = self / 32; y < 32; y += 2) {
    if (from.y + y < ROWS && from.x + x < COLUMNS)
      tile[y][x] = a[(from.y + y) * COLUMNS + from.x + x];
  }
  barrier();
  for (uint y = self / 32; y < 32; y += 2) {
    if (from.x + y < COLUMNS && from.y + x < ROWS)
      at[(from.x + y) * ROWS + from.y + x] = tile[x][y];
  }
}

void main() {
  // In the order of the launch, tiles go down the columns of A: along the rows of At.
  const uint down = (ROWS + 31) / 32;
  const uint across = (COLUMNS + 31) / 32;
  const uint place = gl_WorkGroupID.y * across + gl_WorkGroupID.x;
  const uvec2 from = uvec2(place / down, place % down) * 32;
  if (ALIGNED != 0) move_vectors(from);
  else move_elements(from);
}
