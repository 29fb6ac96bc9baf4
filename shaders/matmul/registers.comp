//! title = "Registers"
//! claim = "each invocation sums (BM/16)×(BN/16) results in registers: far fewer reads of shared memory"
//! expect = "correct"
//! order = 9
//! covers = ["BN", "BM"]
//! [tile]
//! constant = "BM"
//! values = [64, 128, 256]
//! preset = 128
//! multiple_of = 64
//! [constants]
//! BM = { least = 64, most = 256, power_of_two = true }
//! [model]
//! depth = "W"
//! [[model.offer]]
//! BM = 64
//! facts = { ALIGNED = 1 }
//! covers = [128, 64]
//! holds = 2
//! alone = 0.47
//! full = 0.55
//! start = 24
//! [[model.offer]]
//! BM = 128
//! facts = { ALIGNED = 1 }
//! covers = [256, 128]
//! holds = 1
//! alone = 0.76
//! full = 0.76
//! start = 24
//! [[model.offer]]
//! BM = 256
//! facts = { ALIGNED = 1 }
//! covers = [128, 256]
//! holds = 1
//! alone = 0.70
//! full = 0.70
//! start = 24
//! [[model.offer]]
//! BM = 64
//! facts = { ALIGNED = 0 }
//! covers = [128, 64]
//! holds = 2
//! alone = 0.38
//! full = 0.46
//! start = 24
//! [[model.offer]]
//! BM = 128
//! facts = { ALIGNED = 0 }
//! covers = [128, 128]
//! holds = 2
//! alone = 0.40
//! full = 0.60
//! start = 24
//! [[model.offer]]
//! BM = 256
//! facts = { ALIGNED = 0 }
//! covers = [128, 256]
//! holds = 1
//! alone = 0.63
//! full = 0.63
//! start = 24
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
#include "vectors.glsl"

layout(constant_id = 0) const uint BM = 128;  // rows of C per workgroup
layout(constant_id = 1) const uint ALIGNED = 0;
layout(constant_id = 2) const uint W_MULTIPLE = 1;  // W is a multiple of it
layout(local_size_x = 256) in;

const uint BN = BM == 128 && ALIGNED != 0 ? 256 : 128;  // columns of C per workgroup
const uint BK = BM > 64 && ALIGNED == 0 ? 8 : 16;       // products per step

// Results of each of 16×16 invocations, in groups of 4 rows and 4 columns.
const uint TM = BM / 16;
const uint TN = BN / 16;
const uint ROW_GROUPS = TM / 4;
const uint COLUMN_GROUPS = TN / 4;
const uint FROM_A = BM * BK / 1024;  // vectors that an invocation loads per step
const uint FROM_B = BN * BK / 1024;
const bool WHOLE_STEPS = W_MULTIPLE % BK == 0;

shared vec4 tile_a[BK][BM / 4 + 1];  // transposed; one unused column prevents bank conflicts
shared vec4 tile_b[BK][BN / 4];

vec4 next_a[FROM_A];
vec4 next_b[FROM_B];
vec4 sum[TM][COLUMN_GROUPS];

uint self;       // this invocation, from 0 to 255
uint first_row;  // first row of C of this workgroup
uint first_col;

// Whole steps by vectors. Beyond the last row or column, the last one is read again,
// and adds only to results that are not stored.
void fetch_vectors(uint first) {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * 256;
    const uint row = min(first_row + e / (BK / 4), M - 1);
    next_a[i] = a4[(row * W + first) / 4 + e % (BK / 4)];
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * 256;
    const uint col = min(first_col + e % (BN / 4) * 4, N - 4);
    next_b[i] = b4[((first + e / (BN / 4)) * N + col) / 4];
  }
}

void put_vectors() {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * 256;
    const uint row = e / (BK / 4);
    const uint k = e % (BK / 4) * 4;
    [[unroll]] for (uint j = 0; j < 4; ++j) tile_a[k + j][row / 4][row % 4] = next_a[i][j];
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * 256;
    tile_b[e / (BN / 4)][e % (BN / 4)] = next_b[i];
  }
}

// Rows of any alignment, one element at a time.
void fetch_elements(uint first) {
  [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) {
    const uint e = self + i * 256;
    next_a[i / 4][i % 4] = a[min(first_row + e / BK, M - 1) * W + first + e % BK];
  }
  [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
    const uint e = self + i * 256;
    next_b[i / 4][i % 4] = b[(first + e / BN) * N + min(first_col + e % BN, N - 1)];
  }
}

// The last step if W is not a multiple of BK: zeros beyond W add nothing.
void fetch_rest(uint first) {
  [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) {
    const uint e = self + i * 256;
    const uint k = first + e % BK;
    next_a[i / 4][i % 4] = k < W ? a[min(first_row + e / BK, M - 1) * W + k] : 0.0;
  }
  [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
    const uint e = self + i * 256;
    const uint k = first + e / BN;
    next_b[i / 4][i % 4] = k < W ? b[k * N + min(first_col + e % BN, N - 1)] : 0.0;
  }
}

void put_elements() {
  [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) {
    const uint e = self + i * 256;
    const uint row = e / BK;
    tile_a[e % BK][row / 4][row % 4] = next_a[i / 4][i % 4];
  }
  [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
    const uint e = self + i * 256;
    const uint col = e % BN;
    tile_b[e / BN][col / 4][col % 4] = next_b[i / 4][i % 4];
  }
}

void fetch(uint first) {
  if (!WHOLE_STEPS && first + BK > W) fetch_rest(first);
  else if (ALIGNED != 0) fetch_vectors(first);
  else fetch_elements(first);
}

void put(uint first) {
  if (ALIGNED != 0 && (WHOLE_STEPS || first + BK <= W)) put_vectors();
  else put_elements();
}

void multiply(uint row_of, uint col_of) {
  [[unroll]] for (uint k = 0; k < BK; ++k) {
    vec4 from_a[ROW_GROUPS];
    vec4 from_b[COLUMN_GROUPS];
    [[unroll]] for (uint i = 0; i < ROW_GROUPS; ++i)
      from_a[i] = tile_a[k][i * 16 + row_of];
    [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j)
      from_b[j] = tile_b[k][j * 16 + col_of];
    [[unroll]] for (uint i = 0; i < TM; ++i) {
      [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
        sum[i][j] += from_a[i / 4][i % 4] * from_b[j];
      }
    }
  }
}

void main() {
  self = gl_LocalInvocationIndex;
  first_row = gl_WorkGroupID.y * BM;
  first_col = gl_WorkGroupID.x * BN;
  // 8×4 neighbouring invocations read the same few vectors.
  const uint col_of = self / 32 % 2 * 8 + self % 8;
  const uint row_of = self / 64 * 4 + self % 32 / 8;

  [[unroll]] for (uint i = 0; i < TM; ++i) {
    [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) sum[i][j] = vec4(0.0);
  }
  fetch(0);
  put(0);
  barrier();
  for (uint first = 0; first < W; first += BK) {
    // Loads of the next step run while this step is computed.
    const uint next = first + BK;
    if (next < W) fetch(next);
    multiply(row_of, col_of);
    barrier();
    if (next < W) put(next);
    barrier();
  }

  [[unroll]] for (uint i = 0; i < TM; ++i) {
    const uint row = first_row + (i / 4 * 16 + row_of) * 4 + i % 4;
    if (row < M) {
      [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
        const uint col = first_col + (j * 16 + col_of) * 4;
        if (ALIGNED != 0) {
          if (col < N) c4[(row * N + col) / 4] = sum[i][j];
        } else {
          [[unroll]] for (uint q = 0; q < 4; ++q) {
            if (col + q < N) c[row * N + col + q] = sum[i][j][q];
          }
        }
      }
    }
  }
}
