//! title = "Split"
//! claim = "like Registers; if there are too few tiles to fill the device, several workgroups compute one together"
//! expect = "correct"
//! order = 10
//! covers = ["BN", "BM"]
//! [[scratch]]
//! name = "partial"
//! words = ["BM", "BN"]
//! [[scratch]]
//! name = "arrived"
//! words = [2]
//! [[scratch]]
//! name = "packed A"
//! total = ["PACKED == 0 ? 1 : round_up(W, 16) * M"]
//! [[scratch]]
//! name = "packed B"
//! total = ["PACKED == 0 ? 1 : round_up(W, 16) * round_up(N, 4)"]
//! [[launch]]
//! kernel = "split/pack"
//! groups = ["PACKED == 0 ? 0 : ceil_div(round_up(max(W, N), 16), 32)", "ceil_div(round_up(max(M, W), 16), 32)", "2"]
//! [[launch]]
//! [tile]
//! constant = "BM"
//! values = [64, 128, 256]
//! preset = 128
//! multiple_of = 0
//! [tune]
//! SLICES = [2, 1, 4, 8]
//! [constants]
//! WHOLE = { most = 16777216 }
//! BM = { least = 64, most = 256, power_of_two = true }
//! BN = { least = 64, most = 256, power_of_two = true }
//! BK = { least = 4, most = 32, power_of_two = true }
//! INVOCATIONS = { least = 32, most = 1024, power_of_two = true }
//! BUFFERS = { least = 1, most = 2 }
//! SLICES = { least = 1 }
//! TEAMS = { least = 1, most = 16, power_of_two = true }
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
//! TEAMS = 1
//! BK = 16
//! BUFFERS = 1
//! facts = { ALIGNED = 1 }
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
//! BUFFERS = 1
//! facts = { ALIGNED = 1 }
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
//! BUFFERS = 1
//! facts = { ALIGNED = 1 }
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
//! BUFFERS = 1
//! facts = { ALIGNED = 1 }
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
//! BUFFERS = 1
//! facts = { ALIGNED = 1 }
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
//! BUFFERS = 1
//! facts = { ALIGNED = 1 }
//! covers = [64, 64]
//! holds = 6
//! alone = 0.287
//! full = 0.66
//! start = 24
//! [[model.offer]]
//! BM = 64
//! BN = 64
//! INVOCATIONS = 256
//! TEAMS = 4
//! BK = 32
//! BUFFERS = 1
//! facts = { ALIGNED = 1, DEEP = 1 }
//! covers = [64, 64]
//! holds = 1
//! alone = 0.62
//! full = 0.62
//! start = 24
//! [[model.offer]]
//! BM = 128
//! BN = 256
//! INVOCATIONS = 256
//! BK = 16
//! BUFFERS = 1
//! facts = { PACKED = 1 }
//! covers = [256, 128]
//! holds = 1
//! alone = 0.78
//! full = 0.78
//! start = 24
//! [[model.offer]]
//! BM = 256
//! BN = 128
//! INVOCATIONS = 256
//! BK = 16
//! BUFFERS = 1
//! facts = { PACKED = 1 }
//! covers = [128, 256]
//! holds = 1
//! alone = 0.78
//! full = 0.78
//! start = 24
//! [[model.offer]]
//! BM = 128
//! BN = 256
//! INVOCATIONS = 256
//! BK = 16
//! BUFFERS = 1
//! facts = { ALIGNED = 0, PACKED = 0 }
//! covers = [256, 128]
//! holds = 1
//! alone = 0.65
//! full = 0.65
//! start = 24
//! [[model.offer]]
//! BM = 256
//! BN = 128
//! INVOCATIONS = 256
//! BK = 8
//! BUFFERS = 2
//! facts = { ALIGNED = 0, PACKED = 0 }
//! covers = [128, 256]
//! holds = 1
//! alone = 0.62
//! full = 0.62
//! start = 24
//! [[model.offer]]
//! BM = 128
//! BN = 128
//! INVOCATIONS = 128
//! BK = 8
//! BUFFERS = 1
//! facts = { ALIGNED = 0, PACKED = 0 }
//! covers = [128, 128]
//! holds = 2
//! alone = 0.45
//! full = 0.63
//! start = 24
//! [[model.offer]]
//! BM = 64
//! BN = 128
//! INVOCATIONS = 128
//! BK = 16
//! BUFFERS = 1
//! facts = { ALIGNED = 0, PACKED = 0 }
//! covers = [128, 64]
//! holds = 3
//! alone = 0.49
//! full = 0.6
//! start = 24
//! [[model.offer]]
//! BM = 128
//! BN = 64
//! INVOCATIONS = 128
//! BK = 16
//! BUFFERS = 1
//! facts = { ALIGNED = 0, PACKED = 0 }
//! covers = [64, 128]
//! holds = 3
//! alone = 0.45
//! full = 0.57
//! start = 24
//! [[model.offer]]
//! BM = 64
//! BN = 64
//! INVOCATIONS = 64
//! BK = 16
//! BUFFERS = 1
//! facts = { ALIGNED = 0, PACKED = 0 }
//! covers = [64, 64]
//! holds = 6
//! alone = 0.25
//! full = 0.56
//! start = 24
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
#include "vectors.glsl"

layout(constant_id = 0) const uint BM = 128;  // rows of C per tile
layout(constant_id = 1) const uint BN = 128;  // columns of C per tile
layout(constant_id = 2) const uint INVOCATIONS = 256;
layout(constant_id = 3) const uint SLICES = 2;  // workgroups that share a tile
layout(constant_id = 4) const uint WHOLE = 0;   // number of first tiles that one workgroup computes alone
layout(constant_id = 5) const uint ALIGNED = 0;
layout(constant_id = 6) const uint W_MULTIPLE = 1;  // W is a multiple of it
layout(constant_id = 7) const uint BK = 16;         // products per step
layout(constant_id = 8) const uint BUFFERS = 1;     // steps that shared memory holds
layout(constant_id = 9) const uint TEAMS = 1;  // teams of invocations, which share the products of a step
layout(constant_id = 10) const uint PACKED = 0;  // 1: reads copies with aligned rows
layout(local_size_x_id = 2) in;

layout(binding = 3) coherent buffer Partial { vec4 partial[]; };  // a tile for each workgroup that shares
layout(binding = 4) coherent buffer Arrived { uint arrived[]; };
layout(binding = 5) restrict readonly buffer PackedA { vec4 packed_a4[]; };
layout(binding = 6) restrict readonly buffer PackedB { vec4 packed_b4[]; };

const uint TM = 8;  // rows and columns of C that an invocation sums up
const uint TEAM = INVOCATIONS / TEAMS;  // invocations of a team: all results, for a part of the products
const uint TN = BM * BN / TM / TEAM;
const uint ROW_GROUPS = TM / 4;
const uint COLUMN_GROUPS = TN / 4;
const uint COLUMNS = BN / TN;  // invocations next to each other
const uint ROWS = BM / TM;
const uint FROM_A = BM * BK / 4 / INVOCATIONS;  // vectors that an invocation loads per step
const uint FROM_B = BN * BK / 4 / INVOCATIONS;
const uint VECTORS = TM * COLUMN_GROUPS;  // vectors of sums of an invocation
const uint OWN = VECTORS / TEAMS;         // vectors per invocation after the teams' sums are added
const uint AT_ONCE = OWN < 16 ? 16 / OWN : 1;  // parts of workgroups that are read at once
const bool WHOLE_STEPS = PACKED != 0 ? 16 % BK == 0 : W_MULTIPLE % BK == 0;
// Many slices are added in two steps: FAN slices of a group, then the groups.
const uint FAN = SLICES > 256 ? 32 : SLICES > 64 ? 16 : SLICES > 16 ? 8 : SLICES;
const uint GROUPS = (SLICES + FAN - 1) / FAN;

shared vec4 tile_a[BUFFERS][BK][BM / 4 + 1];  // transposed; one unused column prevents bank conflicts
shared vec4 tile_b[BUFFERS][BK][BN / 4];
shared vec4 together[TEAMS > 1 ? BM * BN / 4 : 1];  // sums of the teams
shared uint done_before;  // number of workgroups that arrived before this one

vec4 next_a[FROM_A];
vec4 next_b[FROM_B];
vec4 sum[TM][COLUMN_GROUPS];

uint self;       // this invocation in its workgroup
uint first_row;  // first row of C of this tile
uint first_col;
bool inside;  // whether the whole tile is inside C

// Vectors of A of a step: the e-th of the workgroup. Beyond the last row, the last row is read again;
// it adds only to results that are not stored.
uint vector_a(uint i) {
  const uint e = self + i * INVOCATIONS;
  return min(first_row + e / (BK / 4), M - 1) * (W / 4) + e % (BK / 4);
}

uint vector_b(uint i) {
  const uint e = self + i * INVOCATIONS;
  return e / (BN / 4) * (N / 4) + min(first_col / 4 + e % (BN / 4), N / 4 - 1);
}

void fetch_vectors(uint first) {
  if (inside) {
    const uint from_a = (first_row + self / (BK / 4)) * (W / 4) + self % (BK / 4) + first / 4;
    const uint from_b = (first + self / (BN / 4)) * (N / 4) + first_col / 4 + self % (BN / 4);
    const uint rows_a = INVOCATIONS / (BK / 4) * (W / 4);
    const uint rows_b = INVOCATIONS / (BN / 4) * (N / 4);
    [[unroll]] for (uint i = 0; i < FROM_A; ++i) next_a[i] = a4[from_a + i * rows_a];
    [[unroll]] for (uint i = 0; i < FROM_B; ++i) next_b[i] = b4[from_b + i * rows_b];
  } else {
    [[unroll]] for (uint i = 0; i < FROM_A; ++i) next_a[i] = a4[vector_a(i) + first / 4];
    [[unroll]] for (uint i = 0; i < FROM_B; ++i) next_b[i] = b4[vector_b(i) + first * (N / 4)];
  }
}

// For the copies with aligned rows.
uint packed_row_a() { return (W + 15) / 16 * 4; }

uint packed_row_b() { return (N + 3) / 4; }

uint packed_vector_a(uint i) {
  const uint e = self + i * INVOCATIONS;
  return min(first_row + e / (BK / 4), M - 1) * packed_row_a() + e % (BK / 4);
}

uint packed_vector_b(uint i) {
  const uint e = self + i * INVOCATIONS;
  return e / (BN / 4) * packed_row_b() + min(first_col / 4 + e % (BN / 4), packed_row_b() - 1);
}

void fetch_packed(uint first) {
  if (inside) {
    const uint from_a = (first_row + self / (BK / 4)) * packed_row_a() + self % (BK / 4) + first / 4;
    const uint from_b = (first + self / (BN / 4)) * packed_row_b() + first_col / 4 + self % (BN / 4);
    const uint rows_a = INVOCATIONS / (BK / 4) * packed_row_a();
    const uint rows_b = INVOCATIONS / (BN / 4) * packed_row_b();
    [[unroll]] for (uint i = 0; i < FROM_A; ++i) next_a[i] = packed_a4[from_a + i * rows_a];
    [[unroll]] for (uint i = 0; i < FROM_B; ++i) next_b[i] = packed_b4[from_b + i * rows_b];
  } else {
    [[unroll]] for (uint i = 0; i < FROM_A; ++i) next_a[i] = packed_a4[packed_vector_a(i) + first / 4];
    [[unroll]] for (uint i = 0; i < FROM_B; ++i) next_b[i] = packed_b4[packed_vector_b(i) + first * packed_row_b()];
  }
}

void put_vectors(uint buf) {
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

// Rows of any alignment, one element at a time.
const uint PASSES_B = BN / INVOCATIONS;  // over a row of B if it is longer than the workgroup

void fetch_elements(uint first) {
  if (inside) {
    const uint from_a = (first_row + self / BK) * W + first + self % BK;
    const uint rows_a = INVOCATIONS / BK * W;
    [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) next_a[i / 4][i % 4] = a[from_a + i * rows_a];
    if (PASSES_B > 1) {
      const uint from_b = first * N + first_col + self;
      [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
        next_b[i / 4][i % 4] = b[from_b + i / PASSES_B * N + i % PASSES_B * INVOCATIONS];
      }
    } else {
      const uint from_b = (first + self / BN) * N + first_col + self % BN;
      const uint rows_b = INVOCATIONS / BN * N;
      [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
        next_b[i / 4][i % 4] = b[from_b + i * rows_b];
      }
    }
  } else {
    [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) {
      const uint e = self + i * INVOCATIONS;
      next_a[i / 4][i % 4] = a[min(first_row + e / BK, M - 1) * W + first + e % BK];
    }
    [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
      const uint e = self + i * INVOCATIONS;
      next_b[i / 4][i % 4] = b[(first + e / BN) * N + min(first_col + e % BN, N - 1)];
    }
  }
}

// The last step if W is not a multiple of BK: zeros beyond W add nothing.
void fetch_rest(uint first) {
  [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint k = first + e % BK;
    next_a[i / 4][i % 4] = k < W ? a[min(first_row + e / BK, M - 1) * W + k] : 0.0;
  }
  [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint k = first + e / BN;
    next_b[i / 4][i % 4] = k < W ? b[k * N + min(first_col + e % BN, N - 1)] : 0.0;
  }
}

void put_elements(uint buf) {
  [[unroll]] for (uint i = 0; i < 4 * FROM_A; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint row = e / BK;
    tile_a[buf][e % BK][row / 4][row % 4] = next_a[i / 4][i % 4];
  }
  [[unroll]] for (uint i = 0; i < 4 * FROM_B; ++i) {
    const uint e = self + i * INVOCATIONS;
    const uint col = e % BN;
    tile_b[buf][e / BN][col / 4][col % 4] = next_b[i / 4][i % 4];
  }
}

// For a whole step.
void fetch(uint first) {
  if (PACKED != 0) fetch_packed(first);
  else if (ALIGNED != 0) fetch_vectors(first);
  else fetch_elements(first);
}

void put(uint buf) {
  if (ALIGNED != 0 || PACKED != 0) put_vectors(buf);
  else put_elements(buf);
}

void multiply(uint buf, uint row_of, uint col_of) {
  [[unroll]] for (uint k = 0; k < BK; ++k) {
    vec4 from_a[ROW_GROUPS];
    vec4 from_b[COLUMN_GROUPS];
    [[unroll]] for (uint i = 0; i < ROW_GROUPS; ++i) from_a[i] = tile_a[buf][k][i * ROWS + row_of];
    [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
      from_b[j] = tile_b[buf][k][j * COLUMNS + col_of];
    }
    [[unroll]] for (uint i = 0; i < TM; ++i) {
      [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
        sum[i][j] += from_a[i / 4][i % 4] * from_b[j];
      }
    }
  }
}

// A team's part of a step.
void multiply_part(uint buf, uint row_of, uint col_of) {
  const uint first = self / TEAM * (BK / TEAMS);
  [[unroll]] for (uint n = 0; n < BK / TEAMS; ++n) {
    const uint k = first + n;
    vec4 from_a[ROW_GROUPS];
    vec4 from_b[COLUMN_GROUPS];
    [[unroll]] for (uint i = 0; i < ROW_GROUPS; ++i) from_a[i] = tile_a[buf][k][i * ROWS + row_of];
    [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
      from_b[j] = tile_b[buf][k][j * COLUMNS + col_of];
    }
    [[unroll]] for (uint i = 0; i < TM; ++i) {
      [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
        sum[i][j] += from_a[i / 4][i % 4] * from_b[j];
      }
    }
  }
}

// One team after the other adds its sums to the sums of the teams before. Afterwards each invocation
// has OWN vectors of the tile, next to those of its neighbours.
void add_up_teams(uint row_of, uint col_of) {
  [[unroll]] for (uint team = 0; team < TEAMS; ++team) {
    if (self / TEAM == team) {
      [[unroll]] for (uint i = 0; i < TM; ++i) {
        [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
          const uint row = (i / 4 * ROWS + row_of) * 4 + i % 4;
          const uint at = row * (BN / 4) + j * COLUMNS + col_of;
          together[at] = team > 0 ? together[at] + sum[i][j] : sum[i][j];
        }
      }
    }
    barrier();
  }
  [[unroll]] for (uint v = 0; v < OWN; ++v) {
    sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS] = together[self + v * INVOCATIONS];
  }
}


// Position of the sums of a workgroup that shares its tile: the vectors of its invocations in order.
void leave(uint sharer) {
  const uint room = sharer * (BM * BN / 4) + self;
  [[unroll]] for (uint v = 0; v < OWN; ++v) {
    partial[room + v * INVOCATIONS] = sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS];
  }
  memoryBarrierBuffer();
}

// Adds the sums of `count` workgroups, `apart` from each other. The order is fixed, so that the result
// is always the same.
void add_up(uint first_sharer, uint count, uint apart) {
  memoryBarrierBuffer();
  [[unroll]] for (uint v = 0; v < OWN; ++v) {
    sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS] = vec4(0.0);
  }
  if (TEAMS == 1) {
    [[dont_unroll]] for (uint s = 0; s < count; ++s) {
      const uint room = (first_sharer + s * apart) * (BM * BN / 4) + self;
      [[unroll]] for (uint v = 0; v < OWN; ++v) {
        sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS] += partial[room + v * INVOCATIONS];
      }
    }
  } else {
    [[dont_unroll]] for (uint s = 0; s < count; s += AT_ONCE) {
      vec4 parts[AT_ONCE][OWN];
      [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) {
        const uint room = (first_sharer + min(s + i, count - 1) * apart) * (BM * BN / 4) + self;
        [[unroll]] for (uint v = 0; v < OWN; ++v) parts[i][v] = partial[room + v * INVOCATIONS];
      }
      [[unroll]] for (uint i = 0; i < AT_ONCE; ++i) {
        if (s + i < count) {
          [[unroll]] for (uint v = 0; v < OWN; ++v) {
            sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS] += parts[i][v];
          }
        }
      }
    }
  }
}

void store(uint own_row, uint own_col, uint row_of, uint col_of) {
  if (TEAMS > 1) {
    [[unroll]] for (uint v = 0; v < OWN; ++v) {
      const uint e = self + v * INVOCATIONS;
      const uint row = first_row + e / (BN / 4);
      const uint col = first_col + e % (BN / 4) * 4;
      const vec4 x = sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS];
      if (row >= own_row && row < M) {
        if (ALIGNED != 0) {
          if (col >= own_col && col < N) c4[(row * N + col) / 4] = x;
        } else {
          [[unroll]] for (uint q = 0; q < 4; ++q) {
            if (col + q >= own_col && col + q < N) c[row * N + col + q] = x[q];
          }
        }
      }
    }
    return;
  }
  [[unroll]] for (uint i = 0; i < TM; ++i) {
    const uint row = first_row + (i / 4 * ROWS + row_of) * 4 + i % 4;
    if (row >= own_row && row < M) {
      [[unroll]] for (uint j = 0; j < COLUMN_GROUPS; ++j) {
        const uint col = first_col + (j * COLUMNS + col_of) * 4;
        if (ALIGNED != 0) {
          if (col >= own_col && col < N) c4[(row * N + col) / 4] = sum[i][j];
        } else {
          [[unroll]] for (uint q = 0; q < 4; ++q) {
            if (col + q >= own_col && col + q < N) c[row * N + col + q] = sum[i][j][q];
          }
        }
      }
    }
  }
}

void main() {
  self = gl_LocalInvocationIndex;
  // Tiles are numbered row by row; the workgroups of a tile have successive numbers.
  const uint across = (N + BN - 1) / BN;
  const uint tiles = across * ((M + BM - 1) / BM);
  const uint alone = SLICES > 1 ? min(WHOLE, tiles) : tiles;
  const uint number = SLICES > 1 ? gl_WorkGroupID.x : gl_WorkGroupID.y * across + gl_WorkGroupID.x;
  const uint sharer = number - min(number, alone);  // number among the workgroups that share tiles
  const bool shares = number >= alone;
  const uint tile = shares ? alone + sharer / SLICES : number;
  const uint slice = shares ? sharer % SLICES : 0;
  // The last tiles overlap their neighbours instead of reaching over the edge, and store their own part.
  const uint own_row = tile / across * BM;
  const uint own_col = tile % across * BN;
  const uint columns = PACKED != 0 ? packed_row_b() * 4 : N;
  inside = M >= BM && columns >= BN;
  first_row = inside ? min(own_row, M - BM) : own_row;
  first_col = inside ? min(own_col, columns - BN) : own_col;
  const uint steps = (W + BK - 1) / BK;
  uint next = shares ? steps * slice / SLICES * BK : 0;
  uint end = shares ? steps * (slice + 1) / SLICES * BK : steps * BK;

  // 8×4 neighbouring invocations read the same few vectors.
  const uint member = TEAMS > 1 ? self % TEAM : self;
  const uint col_of = member / 32 % (COLUMNS / 8) * 8 + member % 8;
  const uint row_of = member / 32 / (COLUMNS / 8) * 4 + member % 32 / 8;

  [[unroll]] for (uint v = 0; v < VECTORS; ++v) {
    sum[v / COLUMN_GROUPS][v % COLUMN_GROUPS] = vec4(0.0);
  }
  const bool any = next < end;
  if (any) {
    // An incomplete step comes first, so that all steps of the loop are whole.
    if (!WHOLE_STEPS && end > W) {
      end -= BK;
      fetch_rest(end);
      put_elements(0);
    } else {
      fetch(next);
      put(0);
      next += BK;
    }
  }
  barrier();
  if (any) {
    uint buf = 0;
    while (next < end) {
      // Loads of the next step run while this step is computed.
      fetch(next);
      if (TEAMS > 1) multiply_part(buf, row_of, col_of);
      else multiply(buf, row_of, col_of);
      if (BUFFERS > 1) buf = 1 - buf;
      else barrier();
      put(buf);
      barrier();
      next += BK;
    }
    if (TEAMS > 1) multiply_part(buf, row_of, col_of);
    else multiply(buf, row_of, col_of);
  }
  if (TEAMS > 1) add_up_teams(row_of, col_of);
  if (!shares) {
    store(own_row, own_col, row_of, col_of);
    return;
  }

  // No workgroup waits for another one: the last workgroup of a group adds all results.
  const uint counter = sharer / SLICES * SLICES * 2;
  const uint group = slice / FAN;
  const uint members = min(FAN, SLICES - group * FAN);
  leave(sharer);
  barrier();
  if (self == 0) done_before = atomicAdd(arrived[counter + 2 + group], 1);
  barrier();
  bool last = done_before + 1 == members;
  if (last) {
    add_up(sharer - slice + group * FAN, members, 1);
    if (self == 0) arrived[counter + 2 + group] = 0;
  }
  if (GROUPS > 1) {
    // The last workgroup of the last group adds the sums of the groups.
    if (last) leave(sharer - slice + group * FAN);
    barrier();
    if (self == 0 && last) done_before = atomicAdd(arrived[counter], 1);
    barrier();
    last = last && done_before + 1 == GROUPS;
    if (last) {
      add_up(sharer - slice, GROUPS, FAN);
      if (self == 0) arrived[counter] = 0;
    }
  }
  if (last) store(own_row, own_col, row_of, col_of);
}
