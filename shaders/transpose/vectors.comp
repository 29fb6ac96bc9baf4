//! title = "Vectors"
//! claim = "moves 4 elements at a time, and successive workgroups write along the same rows"
//! expect = "correct"
//! order = 3
//! covers = ["TX", "TY"]
//! [constants]
//! TX = { least = 4, most = 124, multiple_of = 4 }
//! TY = { least = 4, most = 124, multiple_of = "STARTS" }
//! STARTS = { least = 4, most = 32, power_of_two = true }
//! INVOCATIONS = { least = 32, most = 1024, multiple_of = 32 }
//! BAND = { least = 1, most = 65536 }
//! [model]
//! [[model.offer]]
//! TX = 60
//! TY = 60
//! INVOCATIONS = 512
//! facts = { ALIGNED = 0 }
//! covers = [60, 60]
//! holds = 4
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
#include "vectors.glsl"

layout(constant_id = 0) const uint ALIGNED = 0;
layout(constant_id = 1) const uint INVOCATIONS = 64;
layout(constant_id = 2) const uint TX = 32;  // columns of A per tile
layout(constant_id = 3) const uint TY = 32;  // rows
// If rows are not aligned, a tile's part of a row of At starts at a multiple of this many elements.
layout(constant_id = 4) const uint STARTS = 4;
layout(constant_id = 5) const uint BAND = 4;   // columns of tiles that successive workgroups go down together
layout(local_size_x_id = 1) in;

// If rows are not aligned, a row of a tile needs one more vector.
const uint ROOM_Y = TY + STARTS;
const uint READ_VECTORS = TX / 4 + 1;  // per row of A
const uint WRITE_VECTORS = TY / 4;     // per row of At
const uint READS = (ROOM_Y * READ_VECTORS + INVOCATIONS - 1) / INVOCATIONS;
const uint WRITES = (TX * WRITE_VECTORS + INVOCATIONS - 1) / INVOCATIONS;

const uint MOVES = (TX * TY / 4 + INVOCATIONS - 1) / INVOCATIONS;  // moves of whole vectors per invocation

shared float tile[ROOM_Y][TX + 1];

// All rows start at multiples of 16 bytes.
void move_vectors(uvec2 from) {
  const uint self = gl_LocalInvocationIndex;
  vec4 v[MOVES];
  [[unroll]] for (uint i = 0; i < MOVES; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uvec2 at = from + uvec2(e % (TX / 4) * 4, e / (TX / 4));
    v[i] = vec4(0.0);
    if (at.y < ROWS && at.x < COLUMNS) v[i] = a4[(at.y * COLUMNS + at.x) / 4];
  }
  [[unroll]] for (uint i = 0; i < MOVES; ++i) {
    const uint e = self + i * INVOCATIONS;
    if (e < TX * TY / 4) {
      [[unroll]] for (uint j = 0; j < 4; ++j) tile[e / (TX / 4)][e % (TX / 4) * 4 + j] = v[i][j];
    }
  }
  barrier();
  [[unroll]] for (uint i = 0; i < MOVES; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint x = e / (TY / 4);
    const uint y = e % (TY / 4) * 4;
    if (x < TX && from.x + x < COLUMNS && from.y + y < ROWS)
      at4[((from.x + x) * ROWS + from.y + y) / 4] =
          vec4(tile[y][x], tile[y + 1][x], tile[y + 2][x], tile[y + 3][x]);
  }
}

// For rows that are not aligned. Reads the vectors of each row of A that contain its part of the tile.
// Writes the vectors of each row of At that start in the tile, from a multiple of STARTS on. These
// reach beyond the tile, so STARTS more rows are read.
void move_unaligned(uvec2 from) {
  const uint self = gl_LocalInvocationIndex;
  vec4 v[READS];
  [[unroll]] for (uint i = 0; i < READS; ++i) {
    const uint e = min(self + i * INVOCATIONS, ROOM_Y * READ_VECTORS - 1);
    v[i] = a4[((from.y + e / READ_VECTORS) * COLUMNS + from.x) / 4 + e % READ_VECTORS];
  }
  [[unroll]] for (uint i = 0; i < READS; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint y = e / READ_VECTORS;
    const uint x = e % READ_VECTORS * 4 - ((from.y + y) * COLUMNS + from.x) % 4;
    [[unroll]] for (uint j = 0; j < 4; ++j) {
      if (e < ROOM_Y * READ_VECTORS && x + j < TX) tile[y][x + j] = v[i][j];
    }
  }
  barrier();
  [[unroll]] for (uint i = 0; i < WRITES; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint x = e / WRITE_VECTORS;
    if (x < TX) {
      const uint next = (from.x + x) * ROWS + from.y + STARTS - 1;
      const uint y = e % WRITE_VECTORS * 4 + STARTS - 1 - next % STARTS;
      at4[next / STARTS * (STARTS / 4) + e % WRITE_VECTORS] =
          vec4(tile[y][x], tile[y + 1][x], tile[y + 2][x], tile[y + 3][x]);
    }
  }
}

// At the edges, one element at a time.
void move_elements(uvec2 from) {
  const uint self = gl_LocalInvocationIndex;
  for (uint e = self; e < ROOM_Y * TX; e += INVOCATIONS) {
    const uvec2 at = uvec2(e % TX, e / TX);
    if (from.x + at.x < COLUMNS && from.y + at.y < ROWS)
      tile[at.y][at.x] = a[(from.y + at.y) * COLUMNS + from.x + at.x];
  }
  barrier();
  for (uint e = self; e < TX * TY; e += INVOCATIONS) {
    const uint x = e / TY;
    const uint to = (from.x + x) * ROWS + from.y;
    const uint y = e % TY + (0 - to) % STARTS;
    if (from.x + x < COLUMNS && from.y + y < ROWS) at[to + y] = tile[y][x];
  }
}

// The elements before the first multiple of STARTS in a row of At.
void move_beginnings(uvec2 from) {
  for (uint e = gl_LocalInvocationIndex; e < TX * STARTS; e += INVOCATIONS) {
    const uint x = e / STARTS;
    const uint y = e % STARTS;
    const uint to = (from.x + x) * ROWS;
    if (from.x + x < COLUMNS && y < (0 - to) % STARTS && y < ROWS) at[to + y] = tile[y][x];
  }
}

void main() {
  // Successive workgroups go down the columns of A, along the rows of At.
  const uint down = (ROWS + TY - 1) / TY;
  const uint across = (COLUMNS + TX - 1) / TX;
  const uint place = gl_WorkGroupID.y * across + gl_WorkGroupID.x;
  const uint band = place / (BAND * down);
  const uint wide = min(BAND, across - band * BAND);
  const uint rest = place % (BAND * down);
  const uvec2 from = uvec2((band * BAND + rest % wide) * TX, rest / wide * TY);
  if (ALIGNED != 0) {
    move_vectors(from);
  } else {
    if (from.x + TX + 4 <= COLUMNS && from.y + ROOM_Y <= ROWS) move_unaligned(from);
    else move_elements(from);
    if (from.y == 0) move_beginnings(from);
  }
}
