//! title = "Registers"
//! claim = "16×8 invocations, each with ROWS queries × COLUMNS keys in registers: two matrix products and a running maximum"
//! order = 4
//! covers = ["QUERIES"]
//! [constants]
//! COLUMNS = { least = 4, most = 16, multiple_of = 4 }
//! DEPTH = { least = 8, most = 32, power_of_two = true }
//! [tile]
//! constant = "ROWS"
//! values = [4, 8]
//! preset = 8
//! multiple_of = 0
//! [tune]
//! COLUMNS = [8, 16, 4]
//! DEPTH = [16, 32]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
layout(binding = 0) restrict readonly buffer VectorsQ { vec4 q4[]; };
layout(binding = 1) restrict readonly buffer VectorsK { vec4 k4[]; };
layout(binding = 2) restrict readonly buffer VectorsV { vec4 v4[]; };
layout(binding = 3) restrict writeonly buffer VectorsO { vec4 o4[]; };

layout(constant_id = 0) const uint ROWS = 8;     // queries of an invocation
layout(constant_id = 1) const uint COLUMNS = 8;  // keys of an invocation
layout(constant_id = 2) const uint DIM = 64;
layout(constant_id = 3) const uint DEPTH = 16;  // elements of queries and keys per step; keys per step of the second product
layout(local_size_x = 128) in;

const uint INVOCATIONS = 128;
const uint ACROSS = 8;  // invocations with the same queries
const uint DOWN = INVOCATIONS / ACROSS;
const uint QUERIES = DOWN * ROWS;
const uint KEYS = ACROSS * COLUMNS;
const uint ROWS4 = ROWS / 4;
const uint COLUMNS4 = COLUMNS / 4;
const uint DIM4 = (DIM + 4 * ACROSS - 1) / (4 * ACROSS);  // vectors of a value that an invocation has
const uint WIDTH = ACROSS * DIM4;                         // width of the values, in vectors
const uint OWN = DEPTH / ACROSS;  // keys of an invocation per step of the second product, at most 4
const bool ALIGNED = DIM % 4 == 0;
const uint FROM_Q = QUERIES * DEPTH / 4 / INVOCATIONS;  // vectors that an invocation loads
const uint FROM_K = KEYS * DEPTH / 4 / INVOCATIONS;
const uint FROM_V = (DEPTH * WIDTH + INVOCATIONS - 1) / INVOCATIONS;

// Columns of Q, then weights; columns of K, then values. One unused vector per row prevents most
// bank conflicts when a column is written.
shared vec4 left[DEPTH][QUERIES / 4 + 1];
shared vec4 right[DEPTH][KEYS / 4 + 1 > WIDTH ? KEYS / 4 + 1 : WIDTH];
shared vec4 largest[QUERIES / 4];
shared vec4 scale[QUERIES / 4];

uint self;
uint head;  // first row of the head
uint first_query;

// Returns four elements of a row, with zeros beyond its end and beyond the last row.
vec4 of_queries(uint row, uint d) {
  if (row >= LENGTH || d >= DIM) return vec4(0.0);
  const uint at = (head + row) * DIM + d;
  if (ALIGNED) return q4[at / 4];
  vec4 x;
  [[unroll]] for (uint c = 0; c < 4; ++c) x[c] = d + c < DIM ? q[at + c] : 0.0;
  return x;
}

vec4 of_keys(uint row, uint d) {
  if (row >= LENGTH || d >= DIM) return vec4(0.0);
  const uint at = (head + row) * DIM + d;
  if (ALIGNED) return k4[at / 4];
  vec4 x;
  [[unroll]] for (uint c = 0; c < 4; ++c) x[c] = d + c < DIM ? k[at + c] : 0.0;
  return x;
}

vec4 of_values(uint row, uint d) {
  if (row >= LENGTH || d >= DIM) return vec4(0.0);
  const uint at = (head + row) * DIM + d;
  if (ALIGNED) return v4[at / 4];
  vec4 x;
  [[unroll]] for (uint c = 0; c < 4; ++c) x[c] = d + c < DIM ? v[at + c] : 0.0;
  return x;
}

// Loads DEPTH elements of each of `rows` rows. Neighbouring invocations load 32 bytes of a row, then
// the next row, so that they read whole sectors and write columns without bank conflicts.
uvec2 row_and_depth(uint e, uint rows) {
  return uvec2(e / 2 % rows, 8 * (e / (2 * rows)) + 4 * (e % 2));
}

void load_columns(uint first_key, uint depth) {
  vec4 from_q[FROM_Q];
  vec4 from_k[FROM_K];
  [[unroll]] for (uint n = 0; n < FROM_Q; ++n) {
    const uvec2 at = row_and_depth(self + n * INVOCATIONS, QUERIES);
    from_q[n] = of_queries(first_query + at.x, depth + at.y) * SCALE;
  }
  [[unroll]] for (uint n = 0; n < FROM_K; ++n) {
    const uvec2 at = row_and_depth(self + n * INVOCATIONS, KEYS);
    from_k[n] = of_keys(first_key + at.x, depth + at.y);
  }
  barrier();
  [[unroll]] for (uint n = 0; n < FROM_Q; ++n) {
    const uvec2 at = row_and_depth(self + n * INVOCATIONS, QUERIES);
    [[unroll]] for (uint j = 0; j < 4; ++j) left[at.y + j][at.x / 4][at.x % 4] = from_q[n][j];
  }
  [[unroll]] for (uint n = 0; n < FROM_K; ++n) {
    const uvec2 at = row_and_depth(self + n * INVOCATIONS, KEYS);
    [[unroll]] for (uint j = 0; j < 4; ++j) right[at.y + j][at.x / 4][at.x % 4] = from_k[n][j];
  }
  barrier();
}

void main() {
  self = gl_LocalInvocationID.x;
  const uint tx = self % ACROSS;
  const uint ty = self / ACROSS;
  head = gl_WorkGroupID.y * LENGTH;
  first_query = gl_WorkGroupID.x * QUERIES;

  vec4 sums[ROWS][DIM4];
  float totals[ROWS];
  [[unroll]] for (uint r = 0; r < ROWS; ++r) {
    totals[r] = 0.0;
    [[unroll]] for (uint d = 0; d < DIM4; ++d) sums[r][d] = vec4(0.0);
  }
  if (self < QUERIES / 4) largest[self] = vec4(-1.0 / 0.0);

  [[dont_unroll]] for (uint first_key = 0; first_key < LENGTH; first_key += KEYS) {
    // Scores: queries 4·(ty + 16·r) and on, keys 4·(tx + 8·c) and on.
    vec4 scores[ROWS][COLUMNS4];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
      [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) scores[r][c] = vec4(0.0);
    }
    [[dont_unroll]] for (uint depth = 0; depth < DIM; depth += DEPTH) {
      load_columns(first_key, depth);
      [[unroll]] for (uint d = 0; d < DEPTH; ++d) {
        vec4 keys[COLUMNS4];
        [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) keys[c] = right[d][tx + ACROSS * c];
        [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
          const vec4 queries = left[d][ty + DOWN * r];
          [[unroll]] for (uint i = 0; i < 4; ++i) {
            [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
              scores[4 * r + i][c] = fma(vec4(queries[i]), keys[c], scores[4 * r + i][c]);
            }
          }
        }
      }
    }

    // The largest score of each query so far, and the factor by which it scales down earlier sums.
    if (first_key + KEYS > LENGTH) {
      [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
          const uvec4 key = first_key + 4 * (tx + ACROSS * c) + uvec4(0, 1, 2, 3);
          scores[r][c] = mix(vec4(-1.0 / 0.0), scores[r][c], lessThan(key, uvec4(LENGTH)));
        }
      }
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
      vec4 most = vec4(-1.0 / 0.0);
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        [[unroll]] for (uint c = 0; c < COLUMNS4; ++c) {
          const vec4 x = scores[4 * r + i][c];
          most[i] = max(most[i], max(max(x.x, x.y), max(x.z, x.w)));
        }
      }
      left[tx][ty + DOWN * r] = most;
    }
    barrier();
    if (self < QUERIES) {
      const float before = largest[self / 4][self % 4];
      float most = before;
      [[unroll]] for (uint i = 0; i < ACROSS; ++i) most = max(most, left[i][self / 4][self % 4]);
      largest[self / 4][self % 4] = most;
      scale[self / 4][self % 4] = exp2(before - most);
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
      const vec4 most = largest[ty + DOWN * r];
      const vec4 down = scale[ty + DOWN * r];
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

    // Weights times values, for DEPTH keys per step, OWN of each invocation. Its i-th key is in row
    // i·ACROSS + tx, so that whole vectors are written without bank conflicts.
    [[dont_unroll]] for (uint step = 0; step < KEYS / DEPTH; ++step) {
      const uint first = first_key + step * OWN / 4 * 4 * ACROSS + step * OWN % 4;
      vec4 from_v[FROM_V];
      [[unroll]] for (uint n = 0; n < FROM_V; ++n) {
        const uint e = self + n * INVOCATIONS;
        const uint line = e / WIDTH;
        const uint key = first + 4 * (line % ACROSS) + line / ACROSS;
        from_v[n] = of_values(key, 4 * (e % WIDTH));
      }
      barrier();
      [[unroll]] for (uint own = 0; own < COLUMNS; ++own) {  // the compiler knows `own`
        if (step == own / OWN) {
          [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
            left[own % OWN * ACROSS + tx][ty + DOWN * r] =
                vec4(scores[4 * r][own / 4][own % 4], scores[4 * r + 1][own / 4][own % 4],
                     scores[4 * r + 2][own / 4][own % 4], scores[4 * r + 3][own / 4][own % 4]);
          }
        }
      }
      [[unroll]] for (uint n = 0; n < FROM_V; ++n) {
        const uint e = self + n * INVOCATIONS;
        if (e < DEPTH * WIDTH) right[e / WIDTH][e % WIDTH] = from_v[n];
      }
      barrier();
      [[unroll]] for (uint key = 0; key < DEPTH; ++key) {
        vec4 values[DIM4];
        [[unroll]] for (uint d = 0; d < DIM4; ++d) values[d] = right[key][tx + ACROSS * d];
        [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
          const vec4 weights = left[key][ty + DOWN * r];
          [[unroll]] for (uint i = 0; i < 4; ++i) {
            [[unroll]] for (uint d = 0; d < DIM4; ++d) {
              sums[4 * r + i][d] = fma(vec4(weights[i]), values[d], sums[4 * r + i][d]);
            }
          }
        }
      }
    }
  }

  // Each invocation has added the weights of its own keys; now the row of invocations adds these.
  barrier();
  [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
    left[tx][ty + DOWN * r] =
        vec4(totals[4 * r], totals[4 * r + 1], totals[4 * r + 2], totals[4 * r + 3]);
  }
  barrier();
  [[unroll]] for (uint r = 0; r < ROWS4; ++r) {
    vec4 total = vec4(0.0);
    [[unroll]] for (uint i = 0; i < ACROSS; ++i) total += left[i][ty + DOWN * r];
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      const uint query = first_query + 4 * (ty + DOWN * r) + i;
      [[unroll]] for (uint d = 0; d < DIM4; ++d) {
        const uint from = 4 * (tx + ACROSS * d);
        const uint at = (head + query) * DIM + from;
        const vec4 x = sums[4 * r + i][d] / total[i];
        if (query < LENGTH && ALIGNED) {
          if (from < DIM) o4[at / 4] = x;
        } else if (query < LENGTH) {
          [[unroll]] for (uint n = 0; n < 4; ++n) {
            if (from + n < DIM) o[at + n] = x[n];
          }
        }
      }
    }
  }
}
