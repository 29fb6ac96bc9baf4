//! title = "Strips in registers"
//! claim = "no shared memory: each invocation computes 4 columns of HIGH rows; neighbouring reads come from the L1 cache"
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
layout(binding = 0) restrict readonly buffer VectorsImage { vec4 image4[]; };
layout(binding = 2) restrict writeonly buffer VectorsOut { vec4 result4[]; };

layout(constant_id = 0) const uint HIGH = 8;  // rows per invocation
layout(constant_id = 1) const uint K = 7;
layout(constant_id = 2) const uint STRIPS = 64;  // invocations next to each other
layout(local_size_x_id = 2) in;

const int LEFT = int(K / 2);
const uint WINDOW = 4 + K - 1;  // pixels of a row around a strip

// Adds row j to the sums of all rows that need it. The sums are parameters, because a driver kept a
// global variable in memory, which was three times as slow.
void add(uint j, float window[WINDOW], inout vec4 sums[HIGH]) {
  [[unroll]] for (uint r = 0; r < HIGH; ++r) {
    if (j >= r && j - r < K) {
      [[unroll]] for (uint i = 0; i < K; ++i) {
        const float tap = weights[(j - r) * K + i];
        const vec4 under = vec4(window[i], window[i + 1], window[i + 2], window[i + 3]);
        sums[r] = fma(vec4(tap), under, sums[r]);
      }
    }
  }
}

void main() {
  const int row = int(gl_WorkGroupID.y * HIGH);
  const int column = int(4 * gl_GlobalInvocationID.x);
  if (column >= COLUMNS) return;
  vec4 sums[HIGH];
  [[unroll]] for (uint r = 0; r < HIGH; ++r) sums[r] = vec4(0.0);

  if (COLUMNS % 4 == 0 && K <= 7) {
    // Pixels outside are read at the edge and count as 0, so no read depends on a branch.
    [[unroll]] for (uint j = 0; j < HIGH + K - 1; ++j) {
      float window[WINDOW];
      const int y = row + int(j) - LEFT;
      const bool inside = y >= 0 && y < int(ROWS);
      const int start = clamp(y, 0, int(ROWS) - 1) * int(COLUMNS);
      const vec4 middle = image4[(start + column) / 4];
      [[unroll]] for (uint i = 0; i < LEFT; ++i) {
        const int x = column + int(i) - LEFT;
        const float left = image[start + max(x, 0)];
        window[i] = inside && x >= 0 ? left : 0.0;
      }
      [[unroll]] for (uint i = 0; i < 4; ++i) window[LEFT + i] = inside ? middle[i] : 0.0;
      [[unroll]] for (uint i = 0; i < K - 1 - LEFT; ++i) {
        const int x = column + 4 + int(i);
        const float right = image[start + min(x, int(COLUMNS) - 1)];
        window[LEFT + 4 + i] = inside && x < COLUMNS ? right : 0.0;
      }
      add(j, window, sums);
    }
  } else {
    [[dont_unroll]] for (uint j = 0; j < HIGH + K - 1; ++j) {
      float window[WINDOW];
      const int y = row + int(j) - LEFT;
      [[unroll]] for (uint i = 0; i < WINDOW; ++i) window[i] = pixel(y, column + int(i) - LEFT);
      add(j, window, sums);
    }
  }

  [[unroll]] for (uint r = 0; r < HIGH; ++r) {
    if (row + r >= ROWS) continue;
    const uint at = (row + r) * COLUMNS + column;
    if (COLUMNS % 4 == 0) {
      result4[at / 4] = sums[r];
    } else {
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        if (column + i < COLUMNS) result[at + i] = sums[r][i];
      }
    }
  }
}
