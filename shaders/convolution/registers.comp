//! title = "Registers"
//! claim = "each invocation computes 8 pixels in each of two rows, and uses a value from shared memory up to 2 K times"
//! order = 3
//! covers = ["COVERS_X", "COVERS_Y"]
//! [constants]
//! STRIPS = { least = 1, most = 64 }
//! [tile]
//! constant = "LINES"
//! values = [8, 16]
//! preset = 16
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
layout(binding = 2) restrict writeonly buffer VectorsOut { vec4 result4[]; };

layout(constant_id = 0) const uint LINES = 16;  // rows of invocations
layout(constant_id = 1) const uint K = 7;
layout(constant_id = 2) const uint STRIPS = 8;  // invocations in a line
layout(local_size_x_id = 2, local_size_y_id = 0) in;

const uint STRIP = 8;  // neighbouring pixels of an invocation
const uint COVERS_X = STRIPS * STRIP;
const uint COVERS_Y = 2 * LINES;

// Vectors of a row of the tile. Neighbouring invocations start two vectors apart. Even vectors are in
// one half and odd ones in the other, so that neighbours read from different banks.
const uint WIDE = (COVERS_X + K - 1 + 3) / 4;
const uint HALF = (WIDE + 1) / 2;
const uint HIGH = COVERS_Y + K - 1;
const uint READ = (STRIP + K - 1 + 3) / 4;  // vectors of a row around a strip
const uint TAPS = (K + 3) / 4;              // vectors of a row of weights

shared vec4 tile[HIGH][2 * HALF];
shared vec4 taps[K][TAPS];

uint place_of(uint vector) { return vector / 2 + vector % 2 * HALF; }

void load_tile() {
  const uint local = gl_LocalInvocationIndex;
  const int row = int(gl_WorkGroupID.y * COVERS_Y) - int(K / 2);
  const int column = int(gl_WorkGroupID.x * COVERS_X) - int(K / 2);
  const uint count = 4 * WIDE;
  for (uint i = local; i < HIGH * count; i += STRIPS * LINES) {
    const uint y = i / count;
    const uint x = i % count;
    tile[y][place_of(x / 4)][x % 4] = pixel(row + int(y), column + int(x));
  }
  for (uint i = local; i < K * TAPS * 4; i += STRIPS * LINES) {
    const uint j = i / (4 * TAPS);
    const uint x = i % (4 * TAPS);
    taps[j][x / 4][x % 4] = x < K ? weights[j * K + x] : 0.0;
  }
}

void store(uint row, uint column, float sums[STRIP]) {
  if (row >= ROWS) return;
  if (COLUMNS % 4 == 0 && column + STRIP <= COLUMNS) {
    const uint at = (row * COLUMNS + column) / 4;
    result4[at] = vec4(sums[0], sums[1], sums[2], sums[3]);
    result4[at + 1] = vec4(sums[4], sums[5], sums[6], sums[7]);
  } else {
    [[unroll]] for (uint i = 0; i < STRIP; ++i) {
      if (column + i < COLUMNS) result[row * COLUMNS + column + i] = sums[i];
    }
  }
}

void main() {
  load_tile();
  barrier();

  const uvec2 local = gl_LocalInvocationID.xy;
  float upper[STRIP];
  float lower[STRIP];
  [[unroll]] for (uint i = 0; i < STRIP; ++i) upper[i] = lower[i] = 0.0;
  vec4 above[TAPS];  // weights of the previous row, which the lower row of pixels uses now
  [[unroll]] for (uint t = 0; t < TAPS; ++t) above[t] = vec4(0.0);
  [[dont_unroll]] for (uint j = 0; j <= K; ++j) {
    vec4 row[READ];
    vec4 here[TAPS];
    [[unroll]] for (uint t = 0; t < READ; ++t) {
      row[t] = tile[2 * local.y + j][place_of(2 * local.x + t)];
    }
    [[unroll]] for (uint t = 0; t < TAPS; ++t) here[t] = j < K ? taps[j][t] : vec4(0.0);
    [[unroll]] for (uint k = 0; k < K; ++k) {
      [[unroll]] for (uint i = 0; i < STRIP; ++i) {
        upper[i] = fma(here[k / 4][k % 4], row[(i + k) / 4][(i + k) % 4], upper[i]);
        lower[i] = fma(above[k / 4][k % 4], row[(i + k) / 4][(i + k) % 4], lower[i]);
      }
    }
    [[unroll]] for (uint t = 0; t < TAPS; ++t) above[t] = here[t];
  }
  const uint row = gl_WorkGroupID.y * COVERS_Y + 2 * local.y;
  const uint column = gl_WorkGroupID.x * COVERS_X + STRIP * local.x;
  store(row, column, upper);
  store(row + 1, column, lower);
}
