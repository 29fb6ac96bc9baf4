//! title = "Matrices (fp16)"
//! claim = "a subgroup multiplies 16×16 matrices as one instruction: A and B in fp16, sums in fp32"
//! expect = "correct"
//! order = 7
//! requires = ["cooperative_matrix"]
//! covers = ["BN", "BM"]
//! [inputs]
//! precision = "fp16"
//! [tile]
//! constant = "BM"
//! values = [64, 128]
//! preset = 128
//! multiple_of = 64
//! [tune]
//! BN = [256, 128]
//! BK = [32, 64]
//! STAGES = [1, 2]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix : require
#include "halves.glsl"

layout(constant_id = 0) const uint BM = 128;           // rows of C a workgroup
layout(constant_id = 1) const uint BN = 256;           // columns of C a workgroup
layout(constant_id = 2) const uint BK = 32;            // products a step
layout(constant_id = 3) const uint INVOCATIONS = 256;  // subgroups of 32
layout(constant_id = 4) const uint WM = 64;            // rows of C a subgroup
layout(constant_id = 5) const uint STAGES = 1;         // steps that shared memory holds
layout(constant_id = 6) const uint W_MULTIPLE = 1;     // W is a multiple of it
layout(constant_id = 7) const uint N_MULTIPLE = 1;
layout(local_size_x_id = 3) in;

const uint SUBGROUPS = INVOCATIONS / 32;
const uint WN = BM * BN / (SUBGROUPS * WM);  // columns of C a subgroup
const uint DOWN = WM / 16;                   // 16×16 matrices of C a subgroup
const uint ACROSS = WN / 16;

const bool ALIGNED = W_MULTIPLE % 8 + N_MULTIPLE % 8 == 0;
const bool WHOLE_STEPS = W_MULTIPLE % BK == 0;

// Shared memory holds vectors of 8 halves; one more a row against bank conflicts.
const uint ROW_A = BK / 8 + 1;
const uint ROW_B = BN / 8 + 1;
shared uvec4 tile_a[STAGES * BM * ROW_A];
shared uvec4 tile_b[STAGES * BK * ROW_B];
shared float edge[SUBGROUPS * 256];  // a matrix a subgroup that only in part lies in C

const uint FROM_A = BM * BK / 8 / INVOCATIONS;  // vectors that an invocation brings along, a step
const uint FROM_B = BN * BK / 8 / INVOCATIONS;
uvec4 next_a[FROM_A];
uvec4 next_b[FROM_B];

uint self;       // this invocation
uint first_row;  // of C, this workgroup's
uint first_col;

float16_t element_a(uint row, uint k) {
  return row < M && k < W ? a[row * W + k] : float16_t(0.0);
}

float16_t element_b(uint k, uint col) {
  return k < W && col < N ? b[k * N + col] : float16_t(0.0);
}

// Eight elements of a row. Where rows are aligned, what lies beyond the last row or column is read
// from the last one again, and adds only to results that are not kept.
uvec4 vector_a(uint row, uint k) {
  if (ALIGNED) {
    return WHOLE_STEPS || k < W ? a8[(min(row, M - 1) * W + k) / 8] : uvec4(0);
  }
  uvec4 v;
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    v[j] = packFloat2x16(f16vec2(element_a(row, k + 2 * j), element_a(row, k + 2 * j + 1)));
  }
  return v;
}

uvec4 vector_b(uint k, uint col) {
  if (ALIGNED) {
    return WHOLE_STEPS || k < W ? b8[(k * N + min(col, N - 8)) / 8] : uvec4(0);
  }
  uvec4 v;
  [[unroll]] for (uint j = 0; j < 4; ++j) {
    v[j] = packFloat2x16(f16vec2(element_b(k, col + 2 * j), element_b(k, col + 2 * j + 1)));
  }
  return v;
}

void fetch(uint first) {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    next_a[i] = vector_a(first_row + e / (BK / 8), first + e % (BK / 8) * 8);
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    next_b[i] = vector_b(first + e / (BN / 8), first_col + e % (BN / 8) * 8);
  }
}

void put(uint stage) {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    tile_a[(stage * BM + e / (BK / 8)) * ROW_A + e % (BK / 8)] = next_a[i];
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    tile_b[(stage * BK + e / (BN / 8)) * ROW_B + e % (BN / 8)] = next_b[i];
  }
}

void main() {
  self = gl_LocalInvocationIndex;
  first_row = gl_WorkGroupID.y * BM;
  first_col = gl_WorkGroupID.x * BN;
  const uint row = gl_SubgroupID / (BN / WN) * WM;  // of this workgroup's, this subgroup's
  const uint col = gl_SubgroupID % (BN / WN) * WN;

  // Not global, and no function's: where a compiler does not see through it, sums leave registers.
  fcoopmatNV<32, gl_ScopeSubgroup, 16, 16> sum[DOWN * ACROSS];
  [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) {
    sum[i] = fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>(0.0);
  }
  fetch(0);
  put(0);
  barrier();
  uint stage = 0;
  for (uint first = 0; first < W; first += BK) {
    // The next step's elements are on their way while this one is computed.
    const uint next = first + BK;
    if (next < W) fetch(next);
    [[unroll]] for (uint k = 0; k < BK; k += 16) {
      fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> from_a[DOWN];
      [[unroll]] for (uint i = 0; i < DOWN; ++i) {
        coopMatLoadNV(from_a[i], tile_a, (stage * BM + row + i * 16) * ROW_A + k / 8, ROW_A, false);
      }
      [[unroll]] for (uint j = 0; j < ACROSS; ++j) {
        fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> from_b;
        coopMatLoadNV(from_b, tile_b, (stage * BK + k) * ROW_B + col / 8 + j * 2, ROW_B, false);
        [[unroll]] for (uint i = 0; i < DOWN; ++i) {
          sum[i * ACROSS + j] = coopMatMulAddNV(from_a[i], from_b, sum[i * ACROSS + j]);
        }
      }
    }
    if (STAGES == 1) barrier();
    stage = (stage + 1) % STAGES;
    if (next < W) put(stage);
    barrier();
  }

  const bool whole = first_row + BM <= M && first_col + BN <= N;
  if (whole && N_MULTIPLE % 4 == 0) {
    [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) {
      const uint to_row = first_row + row + i / ACROSS * 16;
      const uint to_col = first_col + col + i % ACROSS * 16;
      coopMatStoreNV(sum[i], c, to_row * N + to_col, N, false);
    }
  } else {
    // Element by element, by way of shared memory: which invocation holds which is not defined.
    const uint first = gl_SubgroupID * 256;
    [[unroll]] for (uint i = 0; i < DOWN * ACROSS; ++i) {
      coopMatStoreNV(sum[i], edge, first, 16, false);
      barrier();
      for (uint e = gl_SubgroupInvocationID; e < 256; e += 32) {
        const uint to_row = first_row + row + i / ACROSS * 16 + e / 16;
        const uint to_col = first_col + col + i % ACROSS * 16 + e % 16;
        if (to_row < M && to_col < N) c[to_row * N + to_col] = edge[first + e];
      }
      barrier();
    }
  }
}
