//! title = "Split"
//! claim = "as registers; where tiles are too few for the device, workgroups share one, each a part of W"
//! expect = "correct"
//! order = 10
//! covers = ["BN", "BM"]
//! [[scratch]]
//! name = "partial"
//! words = ["BM", "BN"]
//! [[scratch]]
//! name = "arrived"
//! words = [2]
//! [tile]
//! constant = "BM"
//! values = [64, 128, 256]
//! preset = 128
//! multiple_of = 0
//! [tune]
//! SLICES = [2, 1, 4, 8]
//! [constants]
//! BM = { least = 64, most = 256, power_of_two = true }
//! BN = { least = 64, most = 256, power_of_two = true }
//! BK = { least = 4, most = 32, power_of_two = true }
//! INVOCATIONS = { least = 32, most = 1024, power_of_two = true }
//! BUFFERS = { least = 1, most = 2 }
//! SLICES = { least = 1 }
//! TN = { least = 4, most = 16 }
//! COLUMNS = { multiple_of = 8 }
//! ROWS = { least = 1 }
//! FROM_A = { least = 1 }
//! FROM_B = { least = 1 }
//! [model]
//! depth = "W"
//! slices = "SLICES"
//! whole = "WHOLE"
//! step = 16
//! word = 40.0
//! meeting = 1.5e6
//! [[model.offer]]
//! BM = 128
//! BN = 256
//! INVOCATIONS = 256
//! BK = 16
//! covers = [256, 128]
//! holds = 1
//! alone = 0.76
//! full = 0.77
//! start = 24
//! [[model.offer]]
//! BM = 256
//! BN = 128
//! INVOCATIONS = 256
//! BK = 16
//! covers = [128, 256]
//! holds = 1
//! alone = 0.74
//! full = 0.75
//! start = 24
//! [[model.offer]]
//! BM = 128
//! BN = 128
//! INVOCATIONS = 256
//! BK = 8
//! covers = [128, 128]
//! holds = 2
//! alone = 0.51
//! full = 0.7
//! start = 24
//! [[model.offer]]
//! BM = 64
//! BN = 128
//! INVOCATIONS = 128
//! BK = 16
//! covers = [128, 64]
//! holds = 3
//! alone = 0.57
//! full = 0.727
//! start = 24
//! [[model.offer]]
//! BM = 128
//! BN = 64
//! INVOCATIONS = 128
//! BK = 16
//! covers = [64, 128]
//! holds = 3
//! alone = 0.53
//! full = 0.71
//! start = 24
//! [[model.offer]]
//! BM = 64
//! BN = 64
//! INVOCATIONS = 64
//! BK = 16
//! covers = [64, 64]
//! holds = 6
//! alone = 0.287
//! full = 0.683
//! start = 24
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
#include "vectors.glsl"

layout(constant_id = 0) const uint BM = 128;  // rows of C a tile
layout(constant_id = 1) const uint BN = 128;  // columns of C a tile
layout(constant_id = 2) const uint INVOCATIONS = 256;
layout(constant_id = 3) const uint SLICES = 2;  // workgroups that share a tile
layout(constant_id = 4) const uint WHOLE = 0;   // but the first tiles have one each
layout(constant_id = 5) const uint ALIGNED = 0;
layout(constant_id = 6) const uint W_MULTIPLE = 1;  // W is a multiple of it
layout(constant_id = 7) const uint BK = 16;         // products a step
layout(constant_id = 8) const uint BUFFERS = 1;     // steps that shared memory holds
layout(local_size_x_id = 2) in;

layout(binding = 3) coherent buffer Partial { vec4 partial[]; };  // a tile each workgroup that shares
layout(binding = 4) coherent buffer Arrived { uint arrived[]; };

const uint TM = 8;  // rows and columns of C that an invocation sums up
const uint TN = BM * BN / TM / INVOCATIONS;
const uint ROW_GROUPS = TM / 4;
const uint COLUMN_GROUPS = TN / 4;
const uint COLUMNS = BN / TN;  // invocations side by side
const uint ROWS = BM / TM;
const uint FROM_A = BM * BK / 4 / INVOCATIONS;  // vectors that an invocation brings along, a step
const uint FROM_B = BN * BK / 4 / INVOCATIONS;
const uint VECTORS = TM * COLUMN_GROUPS;  // of an invocation's sums
const bool WHOLE_STEPS = W_MULTIPLE % BK == 0;
// Many slices meet twice: those of a group of FAN, then the groups.
const uint FAN = SLICES > 64 ? 16 : SLICES > 16 ? 8 : SLICES;
const uint GROUPS = (SLICES + FAN - 1) / FAN;
const uint MOST = FAN > GROUPS ? FAN : GROUPS;

shared vec4 tile_a[BUFFERS][BK][BM / 4 + 1];  // transposed; one column against bank conflicts
shared vec4 tile_b[BUFFERS][BK][BN / 4];
shared uint before;  // workgroups that had arrived when this one did

vec4 next_a[FROM_A];
vec4 next_b[FROM_B];
vec4 sum[TM][COLUMN_GROUPS];

uint self;       // this invocation in its workgroup
uint own_row;    // of C, this tile's first
uint own_col;
uint first_row;  // that it computes
uint first_col;
bool inside;     // the whole tile lies in C

// Offsets count vectors where rows start on 16 bytes, else elements: a vector is then four reads,
// but still one address.
const uint UNIT = ALIGNED != 0 ? 4 : 1;

vec4 from_a(uint at) {
  return ALIGNED != 0 ? a4[at] : vec4(a[at], a[at + 1], a[at + 2], a[at + 3]);
}

vec4 from_b(uint at) {
  return ALIGNED != 0 ? b4[at] : vec4(b[at], b[at + 1], b[at + 2], b[at + 3]);
}

// A whole step of a whole tile.
void fetch_inside(uint first) {
  const uint row = self / (BK / 4);
  const uint k = self / (BN / 4);
  const uint at_a = (first_row + row) * (W / UNIT) + self % (BK / 4) * (4 / UNIT) + first / UNIT;
  const uint at_b =
      (first + k) * (N / UNIT) + first_col / UNIT + self % (BN / 4) * (4 / UNIT);
  const uint rows = INVOCATIONS / (BK / 4) * (W / UNIT);
  const uint ks = INVOCATIONS / (BN / 4) * (N / UNIT);
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) next_a[i] = from_a(at_a + i * rows);
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) next_b[i] = from_b(at_b + i * ks);
}

// A whole step of a tile that reaches over the edges, where rows start on 16 bytes.
void fetch_vectors(uint first) {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint row = min(first_row + e / (BK / 4), M - 1);
    next_a[i] = a4[row * (W / 4) + e % (BK / 4) + first / 4];
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint col = min(first_col / 4 + e % (BN / 4), N / 4 - 1);
    next_b[i] = b4[(first + e / (BN / 4)) * (N / 4) + col];
  }
}

// Any step of any tile, one element after the other. What lies beyond the last row or column is
// read from the last one again, and adds only to results that are not kept; zeros beyond the last
// of W add nothing.
void fetch_any(uint first) {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint row = min(first_row + e / (BK / 4), M - 1) * W;
    [[unroll]] for (uint j = 0; j < 4; ++j) {
      const uint k = first + e % (BK / 4) * 4 + j;
      next_a[i][j] = k < W ? a[row + k] : 0.0;
    }
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint k = first + e / (BN / 4);
    [[unroll]] for (uint j = 0; j < 4; ++j) {
      const uint col = min(first_col + e % (BN / 4) * 4 + j, N - 1);
      next_b[i][j] = k < W ? b[k * N + col] : 0.0;
    }
  }
}

// A whole step. What is a branch here keeps the reads together, ahead of the products: without it
// the kernel is 10 % slower on an NVIDIA H200.
void fetch(uint first) {
  if (inside) fetch_inside(first);
  else if (ALIGNED != 0) fetch_vectors(first);
  else fetch_any(first);
}

void put(uint buf) {
  [[unroll]] for (uint i = 0; i < FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint row = e / (BK / 4);
    const uint k = e % (BK / 4) * 4;
    [[unroll]] for (uint j = 0; j < 4; ++j) tile_a[buf][k + j][row / 4][row % 4] = next_a[i][j];
  }
  [[unroll]] for (uint i = 0; i < FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    tile_b[buf][e / (BN / 4)][e % (BN / 4)] = next_b[i];
  }
}

void multiply(uint buf, uint row_of, uint col_of) {
  [[unroll]] for (uint k = 0; k < BK; ++k) {
    vec4 row_a[ROW_GROUPS];
    vec4 row_b[COLUMN_GROUPS];
    [[unroll]] for (uint i = 0; i < ROW_GROUPS; ++i) row_a[i] = tile_a[buf][k][i * ROWS + row_of];
    [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
      row_b[j] = tile_b[buf][k][j * COLUMNS + col_of];
    }
    [[unroll]] for (uint i = 0; i < TM; ++i) {
      [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
        sum[i][j] += row_a[i / 4][i % 4] * row_b[j];
      }
    }
  }
}

// Where the sums of a workgroup that shares its tile lie: its invocations' vectors side by side.
uint room_of(uint sharer) {
  return sharer * (BM * BN / 4) + self;
}

void leave(uint sharer) {
  const uint room = room_of(sharer);
  [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
    partial[room + v * INVOCATIONS] = sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS];
  }
  memoryBarrierBuffer();
}

void store(uint row, uint col, vec4 value) {
  if (row < own_row || row >= M) return;
  if (ALIGNED != 0) {
    if (col >= own_col && col < N) c4[(row * N + col) / 4] = value;
  } else {
    [[unroll]] for (uint q = 0; q < 4; ++q) {
      if (col + q >= own_col && col + q < N) c[row * N + col + q] = value[q];
    }
  }
}

// The row of C of an invocation's v-th vector.
uint row_at(uint v, uint row_of) {
  const uint i = v / COLUMN_GROUPS;
  return first_row + (i / 4 * ROWS + row_of) * 4 + i % 4;
}

uint col_at(uint v, uint col_of) {
  return first_col + (v % COLUMN_GROUPS * COLUMNS + col_of) * 4;
}

// What up to MOST workgroups have left, `apart` from each other. In their order, so that an answer
// is always the same one; from memory, so that the registers of the sums are free.
vec4 added_up(uint room, uint count, uint apart) {
  vec4 all = vec4(0.0);
  vec4 left[MOST];
  [[unroll]] for (uint s = 0; s < MOST; ++s) {
    left[s] = partial[room + min(s, count - 1) * apart * (BM * BN / 4)];
  }
  [[unroll]] for (uint s = 0; s < MOST; ++s) all += s < count ? left[s] : vec4(0.0);
  return all;
}

void main() {
  self = gl_LocalInvocationIndex;
  // Tiles are numbered row by row; a tile's workgroups follow each other.
  const uint across = (N + BN - 1) / BN;
  const uint tiles = across * ((M + BM - 1) / BM);
  const uint alone = SLICES > 1 ? min(WHOLE, tiles) : tiles;
  const uint number = SLICES > 1 ? gl_WorkGroupID.x : gl_WorkGroupID.y * across + gl_WorkGroupID.x;
  const uint sharer = number - min(number, alone);  // counted among those that share
  const bool shares = number >= alone;
  const uint tile = shares ? alone + sharer / SLICES : number;
  const uint slice = shares ? sharer % SLICES : 0;
  // The last tiles reach back over their neighbours instead of over the edge, and keep their own.
  own_row = tile / across * BM;
  own_col = tile % across * BN;
  inside = M >= BM && N >= BN;
  first_row = inside ? min(own_row, M - BM) : own_row;
  first_col = inside ? min(own_col, N - BN) : own_col;
  const uint steps = (W + BK - 1) / BK;
  uint next = shares ? steps * slice / SLICES * BK : 0;
  uint end = shares ? steps * (slice + 1) / SLICES * BK : steps * BK;

  // 8×4 invocations next to each other read the same few vectors.
  const uint col_of = self / 32 % (COLUMNS / 8) * 8 + self % 8;
  const uint row_of = self / 32 / (COLUMNS / 8) * 4 + self % 32 / 8;

  [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
    sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS] = vec4(0.0);
  }
  const bool any = next < end;
  if (any) {
    // A step that is not whole comes first, so that the loop has none.
    if (!WHOLE_STEPS && end > W) {
      end -= BK;
      fetch_any(end);
    } else {
      fetch(next);
      next += BK;
    }
    put(0);
  }
  barrier();
  uint buf = 0;
  while (next < end) {
    // The next step's elements are on their way while this one is computed.
    fetch(next);
    multiply(buf, row_of, col_of);
    if (BUFFERS > 1) buf = 1 - buf;
    else barrier();
    put(buf);
    barrier();
    next += BK;
  }
  if (any) multiply(buf, row_of, col_of);
  if (!shares) {
    [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
      store(row_at(v, row_of), col_at(v, col_of), sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS]);
    }
    return;
  }

  // Nobody waits for another workgroup: the last one of a group adds up what all have left.
  const uint first_sharer = sharer - slice;
  const uint counter = first_sharer * 2;
  const uint group = slice / FAN;
  const uint members = min(FAN, SLICES - group * FAN);
  const uint room = room_of(first_sharer + group * FAN);
  leave(sharer);
  barrier();
  if (self == 0) before = atomicAdd(arrived[counter + 2 + group], 1);
  barrier();
  bool last = before + 1 == members;
  memoryBarrierBuffer();
  if (last && self == 0) arrived[counter + 2 + group] = 0;
  if (GROUPS == 1) {
    [[dont_unroll]] for (uint v = 0; last && v < VECTORS; ++v) {
      store(row_at(v, row_of), col_at(v, col_of), added_up(room + v * INVOCATIONS, members, 1));
    }
    return;
  }
  // And the last group's last one adds up the groups.
  [[dont_unroll]] for (uint v = 0; last && v < VECTORS; ++v) {
    partial[room + v * INVOCATIONS] = added_up(room + v * INVOCATIONS, members, 1);
  }
  memoryBarrierBuffer();
  barrier();
  if (self == 0 && last) before = atomicAdd(arrived[counter], 1);
  barrier();
  last = last && before + 1 == GROUPS;
  memoryBarrierBuffer();
  if (last && self == 0) arrived[counter] = 0;
  [[dont_unroll]] for (uint v = 0; last && v < VECTORS; ++v) {
    store(row_at(v, row_of), col_at(v, col_of),
          added_up(room_of(first_sharer) + v * INVOCATIONS, GROUPS, FAN));
  }
}
