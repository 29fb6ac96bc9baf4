//! title = "One pass"
//! claim = "one loop that keeps the largest score so far: a larger one rescales the sums that were made before it"
//! order = 3
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [32, 64, 128]
//! preset = 64
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 64;
layout(constant_id = 1) const uint DIM = 64;
layout(local_size_x_id = 0) in;

#include "tiles.glsl"

void main() {
  float own[DIM];
  float sum[DIM];
  load_query(own);
  [[unroll]] for (uint d = 0; d < DIM; ++d) sum[d] = 0.0;

  float most = -1.0 / 0.0;
  float total = 0.0;
  for (uint first = 0; first < LENGTH; first += KEYS) {
    load_keys(first);
    load_values(first);
    barrier();
    [[dont_unroll]] for (uint key = 0; key < KEYS; key += 4) {
      float scores[4];
      float larger = most;
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        scores[i] = first + key + i < LENGTH ? score(own, key + i) : -1.0 / 0.0;
        larger = max(larger, scores[i]);
      }
      const float scale = exp2(most - larger);
      most = larger;
      total *= scale;
      [[unroll]] for (uint d = 0; d < DIM; ++d) sum[d] *= scale;
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        const float weight = exp2(scores[i] - most);
        total += weight;
        [[unroll]] for (uint d = 0; d < DIM; ++d) sum[d] += weight * value_tile[key + i][d];
      }
    }
    barrier();
  }
  store(sum, total);
}
