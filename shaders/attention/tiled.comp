//! title = "Tiled"
//! claim = "one invocation per query, tiles of keys and values in shared memory: one loop for the largest score, one for the sum"
//! order = 2
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
  for (uint first = 0; first < LENGTH; first += KEYS) {
    load_keys(first);
    barrier();
    for (uint key = 0; key < min(KEYS, LENGTH - first); ++key) most = max(most, score(own, key));
    barrier();
  }
  float total = 0.0;
  for (uint first = 0; first < LENGTH; first += KEYS) {
    load_keys(first);
    load_values(first);
    barrier();
    for (uint key = 0; key < min(KEYS, LENGTH - first); ++key) {
      const float weight = exp2(score(own, key) - most);
      total += weight;
      [[unroll]] for (uint d = 0; d < DIM; ++d) sum[d] += weight * value_tile[key][d];
    }
    barrier();
  }
  store(sum, total);
}
