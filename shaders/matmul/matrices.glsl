// C = A·B by cooperative matrices: the code for all kinds of 16-bit floats.
#include "halves.glsl"

layout(constant_id = 0) const uint BM = 128;           // rows of C per workgroup
layout(constant_id = 1) const uint BN = 256;           // columns of C per workgroup
layout(constant_id = 2) const uint BK = 32;            // products per step
layout(constant_id = 3) const uint INVOCATIONS = 256;  // subgroups of 32
layout(constant_id = 4) const uint WM = 64;            // rows of C per subgroup
layout(constant_id = 5) const uint BAND = 8;           // rows of tiles that run together
layout(constant_id = 6) const uint W_MULTIPLE = 1;     // W is a multiple of it
layout(constant_id = 7) const uint N_MULTIPLE = 1;
layout(constant_id = 8) const uint M_MULTIPLE = 1;
layout(local_size_x_id = 3) in;

const uint SUBGROUPS = INVOCATIONS / 32;
const uint WN = BM * BN / (SUBGROUPS * WM);  // columns of C per subgroup
const uint DOWN = WM / 16;                   // 16×16 matrices of C a subgroup
const uint ACROSS = WN / 16;

const bool ALIGNED = W_MULTIPLE % 8 + N_MULTIPLE % 8 == 0;
const bool WHOLE_STEPS = W_MULTIPLE % BK == 0;
// If the compiler knows this, it removes the code for edges: 5% faster on an NVIDIA H200.
const bool WHOLE_TILES = M_MULTIPLE % BM + N_MULTIPLE % BN == 0;

// Shared memory holds vectors of 8 halves. One unused vector per row prevents bank conflicts.
const uint ROW_A = BK / 8 + 1;
const uint ROW_B = BN / 8 + 1;
const uint ROOM_A = BM * ROW_A;
const uint ROOM_B = BK * ROW_B;
// At the end each subgroup has a matrix of C in each of the two: 16 rows of 4 vectors and 1 more.
const uint ROW_C = 5;
const uint ROOM_C = SUBGROUPS * 16 * ROW_C;
shared uvec4 tile_a[ROOM_A > ROOM_C ? ROOM_A : ROOM_C];
shared uvec4 tile_b[ROOM_B > ROOM_C ? ROOM_B : ROOM_C];

const uint FROM_A = BM * BK / 8 / INVOCATIONS;  // vectors that an invocation loads per step
const uint FROM_B = BN * BK / 8 / INVOCATIONS;
uvec4 next_a[FROM_A];
uvec4 next_b[FROM_B];
uint at_a[FROM_A];  // where they are in A and B
uint at_b[FROM_B];

uint self;       // this invocation
uint first_row;  // first row of C of this workgroup
uint first_col;

// The row of A and the column of B, of this workgroup's, where an invocation's vector i starts.
// Two rows of A that are written together are four apart, so in banks of their own.
uint row_of(uint i) {
  const uint row = (self + i * INVOCATIONS) / (BK / 8);
  return BK == 32 ? (row & ~7u) | (row & 1u) << 2 | (row >> 1 & 3u) : row;
}
uint col_of(uint i) { return (self + i * INVOCATIONS) % (BN / 8) * 8; }

// And the product where it starts.
uint product_a(uint i) { return (self + i * INVOCATIONS) % (BK / 8) * 8; }
uint product_b(uint i) { return (self + i * INVOCATIONS) / (BN / 8); }

// For aligned rows. Beyond the last row or column, the last one is read again,
// and adds only to results that are not stored.
void aim() {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    at_a[i] = (min(first_row + row_of(i), M - 1) * W + product_a(i)) / 8;
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    at_b[i] = (product_b(i) * N + min(first_col + col_of(i), N - 8)) / 8;
  }
}

float16_t element_a(uint row, uint k) {
  return row < M && k < W ? a[row * W + k] : float16_t(0.0);
}

float16_t element_b(uint k, uint col) {
  return k < W && col < N ? b[k * N + col] : float16_t(0.0);
}

// Eight elements of a row, of the step that starts at product `first`.
uvec4 vector_a(uint i, uint first) {
  const uint k = first + product_a(i);
  if (ALIGNED) return WHOLE_STEPS || k < W ? a8[at_a[i] + first / 8] : uvec4(0);
  const uint row = first_row + row_of(i);
  uvec4 v;
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    v[j] = packFloat2x16(f16vec2(element_a(row, k + 2 * j), element_a(row, k + 2 * j + 1)));
  }
  return v;
}

uvec4 vector_b(uint i, uint first) {
  const uint k = first + product_b(i);
  if (ALIGNED) return WHOLE_STEPS || k < W ? b8[at_b[i] + first * (N / 8)] : uvec4(0);
  const uint col = first_col + col_of(i);
  uvec4 v;
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    v[j] = packFloat2x16(f16vec2(element_b(k, col + 2 * j), element_b(k, col + 2 * j + 1)));
  }
  return v;
}

void fetch(uint first) {
  if (WHOLE_STEPS) first = min(first, W - BK);
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) next_a[i] = vector_a(i, first);
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) next_b[i] = vector_b(i, first);
}

void put() {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    tile_a[row_of(i) * ROW_A + product_a(i) / 8] = next_a[i];
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    tile_b[product_b(i) * ROW_B + col_of(i) / 8] = next_b[i];
  }
}

// BAND rows of tiles, column by column, then the next BAND: workgroups that run at the same time
// then read few rows of A and few columns of B between them.
void find_tile() {
  const uint across = gl_NumWorkGroups.x;
  const uint id = gl_WorkGroupID.y * across + gl_WorkGroupID.x;
  const uint band = id / (BAND * across);
  const uint rows = min(BAND, gl_NumWorkGroups.y - band * BAND);
  const uint in_band = id - band * BAND * across;
  first_row = (band * BAND + in_band % rows) * BM;
  first_col = in_band / rows * BN;
}

void main() {
  self = gl_LocalInvocationIndex;
  find_tile();
  aim();
  const uint row = gl_SubgroupID / (BN / WN) * WM;  // first row of this subgroup in the workgroup's tile
  const uint col = gl_SubgroupID % (BN / WN) * WN;

  // A local variable of main(): otherwise some compilers keep the sums in memory.
  fcoopmatNV<32, gl_ScopeSubgroup, 16, 16> sum[DOWN * ACROSS];
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) {
    sum[i] = fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>(0.0);
  }
  fetch(0);
  put();
  fetch(BK);
  barrier();
  for (uint first = 0; first < W; first += BK) {
    fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> from_a[BK / 16 * DOWN];
    fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> from_b[BK / 16 * ACROSS];
    [[unroll]] for (uint k = 0; k < BK / 16; ++k) {
      [[unroll]] for (uint i = 0; i < DOWN; ++i) {
        coopMatLoadNV(from_a[k * DOWN + i], tile_a, (row + i * 16) * ROW_A + k * 2, ROW_A, false);
      }
      [[unroll]] for (uint j = 0; j < ACROSS; ++j) {
        coopMatLoadNV(from_b[k * ACROSS + j], tile_b, k * 16 * ROW_B + col / 8 + j * 2, ROW_B,
                      false);
      }
    }
    [[unroll]] for (uint k = 0; k < BK / 16; ++k) {
      if (k == BK / 16 - 1) {
        // All subgroups have read the matrices of this step. Now the matrices of the next step
        // replace them, and the loads of the step after that start.
        barrier();
        put();
        fetch(first + 2 * BK);
      }
      [[unroll]] for (uint i = 0; i < DOWN; ++i) {
        [[unroll]] for (uint j = 0; j < ACROSS; ++j) {
          sum[i * ACROSS + j] = coopMatMulAddNV(from_a[k * DOWN + i], from_b[k * ACROSS + j],
                                                sum[i * ACROSS + j]);
        }
      }
    }
    barrier();
  }

  // Results go through shared memory, because it is not defined which elements of a matrix an
  // invocation holds, and whole rows are written faster. There are two branches, each with its loop:
  // a single loop is not unrolled, and the sums are then kept in memory.
  const uint lane = gl_SubgroupInvocationID;
  const uint room = gl_SubgroupID * 16 * ROW_C;
  const bool whole = WHOLE_TILES ||
                     N_MULTIPLE % 4 == 0 && first_row + BM <= M && first_col + BN <= N;
  if (whole) {
    [[unroll]] for (uint i = 0; i < DOWN * ACROSS; i += 2) {
      coopMatStoreNV(sum[i], tile_a, room, ROW_C, false);
      coopMatStoreNV(sum[i + 1], tile_b, room, ROW_C, false);
      subgroupBarrier();
      [[unroll]] for (uint j = 0; j < 4; ++j) {
        const uint at = lane / 4 + j % 2 * 8;  // this matrix's row
        const uint from = room + at * ROW_C + lane % 4;
        const uint to_row = first_row + row + (i + j / 2) / ACROSS * 16 + at;
        const uint to_col = first_col + col + (i + j / 2) % ACROSS * 16 + lane % 4 * 4;
        c4[(to_row * N + to_col) / 4] = uintBitsToFloat(j < 2 ? tile_a[from] : tile_b[from]);
      }
      subgroupBarrier();
    }
  } else {
    [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) {
      coopMatStoreNV(sum[i], tile_a, room, ROW_C, false);
      subgroupBarrier();
      for (uint e = lane; e < 256; e += 32) {
        const uint to_row = first_row + row + i / ACROSS * 16 + e / 16;
        const uint to_col = first_col + col + i % ACROSS * 16 + e % 16;
        if (to_row < M && to_col < N) {
          c[to_row * N + to_col] =
              uintBitsToFloat(tile_a[room + e / 16 * ROW_C + e % 16 / 4][e % 4]);
        }
      }
      subgroupBarrier();
    }
  }
}
