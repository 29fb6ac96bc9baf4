//! title = "Strips in registers"
//! claim = "no shared memory: an invocation adds up 4 columns of HIGH rows; what neighbours read too comes from the first-level cache"
//! order = 4
//! covers = ["4 * STRIPS", "HIGH"]
//! [constants]
//! STRIPS = { least = 1, most = 256 }
//! [tile]
//! constant = "HIGH"
//! values = [4, 8]
//! preset = 8
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
layout(binding = 2) restrict writeonly buffer VectorsOut { vec4 result4[]; };

layout(constant_id = 0) const uint HIGH = 8;  // rows of an invocation
layout(constant_id = 1) const uint K = 7;
layout(constant_id = 2) const uint STRIPS = 64;  // invocations side by side
layout(local_size_x_id = 2) in;

const uint WINDOW = 4 + K - 1;     // pixels of a row around a strip
const uint TAPS = K <= 7 ? K : 1;  // rows of weights at once: the code of more is too long

// As pixel(), but what is read does not wait for a branch: all reads are under way at once.
float pixel_or_zero(int row, int column) {
  const bool inside = row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
  const int y = clamp(row, 0, int(ROWS) - 1);
  const float nearest = image[y * COLUMNS + clamp(column, 0, int(COLUMNS) - 1)];
  return inside ? nearest : 0.0;
}

void store(uint row, uint column, vec4 sums) {
  if (row >= ROWS) return;
  const uint at = row * COLUMNS + column;
  if (COLUMNS % 4 == 0) {
    result4[at / 4] = sums;
  } else {
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      if (column + i < COLUMNS) result[at + i] = sums[i];
    }
  }
}

void main() {
  const uint row = gl_WorkGroupID.y * HIGH;
  const uint column = 4 * gl_GlobalInvocationID.x;
  if (column >= COLUMNS) return;

  vec4 sums[HIGH];
  [[unroll]] for (uint r = 0; r < HIGH; ++r) sums[r] = vec4(0.0);
  [[dont_unroll]] for (uint first = 0; first < K; first += TAPS) {
    [[unroll]] for (uint j = 0; j < HIGH + TAPS - 1; ++j) {
      float window[WINDOW];
      [[unroll]] for (uint i = 0; i < WINDOW; ++i) {
        window[i] = pixel_or_zero(int(row + first + j) - int(K / 2), int(column + i) - int(K / 2));
      }
      [[unroll]] for (uint r = 0; r < HIGH; ++r) {
        if (j < r || j - r >= TAPS) continue;
        [[unroll]] for (uint i = 0; i < K; ++i) {
          const vec4 under = vec4(window[i], window[i + 1], window[i + 2], window[i + 3]);
          sums[r] = fma(vec4(weights[(first + j - r) * K + i]), under, sums[r]);
        }
      }
    }
  }
  [[unroll]] for (uint r = 0; r < HIGH; ++r) store(row + r, column, sums[r]);
}
