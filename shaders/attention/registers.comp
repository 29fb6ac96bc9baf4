//! title = "Registers"
//! claim = "16×16 invocations have ROWS queries of as many keys each in registers: two matrix products and a running maximum between"
//! order = 4
//! covers = ["QUERIES"]
//! [constants]
//! COLUMNS = { least = 4, most = 8, multiple_of = 4 }
//! [tile]
//! constant = "ROWS"
//! values = [4, 8]
//! preset = 4
//! multiple_of = 0
//! [tune]
//! COLUMNS = [4, 8]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint ROWS = 4;     // queries of an invocation
layout(constant_id = 1) const uint COLUMNS = 8;  // keys of an invocation
layout(constant_id = 2) const uint DIM = 64;
layout(local_size_x = 256) in;

const uint SIDE = 16;  // of the square that the invocations make
const uint QUERIES = SIDE * ROWS;
const uint KEYS = SIDE * COLUMNS;
const uint ROWS4 = ROWS / 4;
const uint COLUMNS4 = COLUMNS / 4;
const uint DIM4 = (DIM + 4 * SIDE - 1) / (4 * SIDE);  // vectors of a value that an invocation has
const uint DEPTH = 16;  // of queries and keys, and keys' weights and values, at once

// Columns of Q and K, and a vector left out, so that writing down a column meets few banks twice.
shared vec4 q_tile[DEPTH][QUERIES / 4 + 1];
shared vec4 k_tile[DEPTH][KEYS / 4 + 1];
shared vec4 weight_tile[DEPTH][QUERIES / 4];
shared vec4 value_tile[DEPTH][SIDE * DIM4];
shared vec4 largest[QUERIES / 4];
shared vec4 scale[QUERIES / 4];

uint head;  // first row of the head
uint first_query;

void load_columns(uint first_key, uint depth) {
  [[unroll]] for (uint n = 0; n < QUERIES * DEPTH / 256; ++n) {
    const uint i = gl_LocalInvocationID.x + n * 256;
    const uint d = depth + i % DEPTH;
    const uint query = first_query + i / DEPTH;
    const float x = query < LENGTH && d < DIM ? q[(head + query) * DIM + d] * SCALE : 0.0;
    q_tile[i % DEPTH][i / DEPTH / 4][i / DEPTH % 4] = x;
  }
  [[unroll]] for (uint n = 0; n < KEYS * DEPTH / 256; ++n) {
    const uint i = gl_LocalInvocationID.x + n * 256;
    const uint d = depth + i % DEPTH;
    const uint key = first_key + i / DEPTH;
    const float x = key < LENGTH && d < DIM ? k[(head + key) * DIM + d] : 0.0;
    k_tile[i % DEPTH][i / DEPTH / 4][i / DEPTH % 4] = x;
  }
}

vec4 value_of(uint key, uint d) {
  if (key >= LENGTH) return vec4(0.0);
  const uint at = (head + key) * DIM + d;
  vec4 x;
  [[unroll]] for (uint c = 0; c < 4; ++c) x[c] = d + c < DIM ? v[at + c] : 0.0;
  return x;
}

void load_values(uint first_key) {
  [[unroll]] for (uint n = 0; n < DIM4; ++n) {
    const uint i = gl_LocalInvocationID.x + n * 256;
    const uint key = i / (SIDE * DIM4);
    const uint d4 = i % (SIDE * DIM4);
    value_tile[key][d4] = value_of(first_key + key, 4 * d4);
  }
}

void main() {
  const uint tx = gl_LocalInvocationID.x % SIDE;
  const uint ty = gl_LocalInvocationID.x / SIDE;
  head = gl_WorkGroupID.y * LENGTH;
  first_query = gl_WorkGroupID.x * QUERIES;

  vec4 sums[ROWS][DIM4];
  float totals[ROWS];
  [[unroll]] for (uint r = 0; r < ROWS; ++r) {
    totals[r] = 0.0;
    [[unroll]] for (uint d = 0; d < DIM4; ++d) sums[r][d] = vec4(0.0);
  }
  if (gl_LocalInvocationID.x < QUERIES / 4) largest[gl_LocalInvocationID.x] = vec4(-1.0 / 0.0);

  [[dont_unroll]] for (uint first_key = 0; first_key < LENGTH; first_key += KEYS) {
    // Scores: queries 4·(ty + 16·r) and on, keys 4·(tx + 16·c) and on.
    vec4 scores[ROWS][COLUMNS4];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
      [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) scores[r][c] = vec4(0.0);
    }
    [[dont_unroll]] for (uint depth = 0; depth < DIM; depth += DEPTH) {
      barrier();
      load_columns(first_key, depth);
      barrier();
      [[unroll]] for (uint d = 0; d < DEPTH; ++d) {
        vec4 keys[COLUMNS4];
        [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) keys[c] = k_tile[d][tx + SIDE * c];
        [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
          const vec4 queries = q_tile[d][ty + SIDE * r];
          [[unroll]] for (uint i = 0; i < 4; ++i) {
            [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
              scores[4 * r + i][c] = fma(vec4(queries[i]), keys[c], scores[4 * r + i][c]);
            }
          }
        }
      }
    }

    // The largest score of each query so far, and what it scales the sums before down to.
    [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
      vec4 most = vec4(-1.0 / 0.0);
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
          const uvec4 key = first_key + 4 * (tx + SIDE * c) + uvec4(0, 1, 2, 3);
          const vec4 x = mix(vec4(-1.0 / 0.0), scores[4 * r + i][c], lessThan(key, uvec4(LENGTH)));
          scores[4 * r + i][c] = x;
          most[i] = max(most[i], max(max(x.x, x.y), max(x.z, x.w)));
        }
      }
      weight_tile[tx][ty + SIDE * r] = most;
    }
    barrier();
    if (gl_LocalInvocationID.x < QUERIES / 4) {
      const uint query = gl_LocalInvocationID.x;
      const vec4 before = largest[query];
      vec4 most = before;
      [[unroll]] for (uint i = 0; i < SIDE; ++i) most = max(most, weight_tile[i][query]);
      largest[query] = most;
      scale[query] = exp2(before - most);
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
      const vec4 most = largest[ty + SIDE * r];
      const vec4 down = scale[ty + SIDE * r];
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        float total = totals[4 * r + i] * down[i];
        [[unroll]] for (uint d = 0; d < DIM4; ++d) sums[4 * r + i][d] *= down[i];
        [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
          const vec4 x = exp2(scores[4 * r + i][c] - most[i]);
          scores[4 * r + i][c] = x;
          total += (x.x + x.y) + (x.z + x.w);
        }
        totals[4 * r + i] = total;
      }
    }

    // Weights times values, DEPTH keys at once, which lie with a quarter of a line of invocations.
    [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
      [[dont_unroll]] for (uint quarter = 0; quarter < 4; ++quarter) {
        barrier();
        if (tx / 4 == quarter) {
          [[unroll]] for (uint i = 0; i < 4; ++i) {
            [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
              weight_tile[4 * (tx % 4) + i][ty + SIDE * r] =
                  vec4(scores[4 * r][c][i], scores[4 * r + 1][c][i], scores[4 * r + 2][c][i],
                       scores[4 * r + 3][c][i]);
            }
          }
        }
        load_values(first_key + 4 * SIDE * c + DEPTH * quarter);
        barrier();
        [[unroll]] for (uint key = 0; key < DEPTH; ++key) {
          vec4 values[DIM4];
          [[unroll]] for (uint d = 0; d < DIM4; ++d) values[d] = value_tile[key][tx + SIDE * d];
          [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
            const vec4 weights = weight_tile[key][ty + SIDE * r];
            [[unroll]] for (uint i = 0; i < 4; ++i) {
              [[unroll]] for (uint d = 0; d < DIM4; ++d) {
                sums[4 * r + i][d] = fma(vec4(weights[i]), values[d], sums[4 * r + i][d]);
              }
            }
          }
        }
      }
    }
  }

  // Each invocation has added up its own keys' weights; those of a line belong together.
  barrier();
  [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
    weight_tile[tx][ty + SIDE * r] =
        vec4(totals[4 * r], totals[4 * r + 1], totals[4 * r + 2], totals[4 * r + 3]);
  }
  barrier();
  [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
    vec4 total = vec4(0.0);
    [[unroll]] for (uint i = 0; i < SIDE; ++i) total += weight_tile[i][ty + SIDE * r];
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      const uint query = first_query + 4 * (ty + SIDE * r) + i;
      [[unroll]] for (uint d = 0; d < DIM4; ++d) {
        const uint at = 4 * (tx + SIDE * d);
        [[unroll]] for (uint n = 0; n < 4; ++n) {
          if (query < LENGTH && at + n < DIM) {
            o[(head + query) * DIM + at + n] = sums[4 * r + i][d][n] / total[i];
          }
        }
      }
    }
  }
}
