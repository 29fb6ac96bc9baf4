// One invocation per query; keys and values in tiles of KEYS.
const uint KEYS = 16;

shared float key_tile[KEYS][DIM];
shared float value_tile[KEYS][DIM];

uint head() { return gl_WorkGroupID.y * LENGTH; }

void load_query(out float own[DIM]) {
  const uint query = gl_GlobalInvocationID.x;
  [[unroll]] for (uint d = 0; d < DIM; ++d) {
    own[d] = query < LENGTH ? q[(head() + query) * DIM + d] * SCALE : 0.0;
  }
}

void load_keys(uint first) {
  for (uint i = gl_LocalInvocationID.x; i < KEYS * DIM; i += BLOCK) {
    const uint key = first + i / DIM;
    key_tile[i / DIM][i % DIM] = key < LENGTH ? k[(head() + key) * DIM + i % DIM] : 0.0;
  }
}

void load_values(uint first) {
  for (uint i = gl_LocalInvocationID.x; i < KEYS * DIM; i += BLOCK) {
    const uint key = first + i / DIM;
    value_tile[i / DIM][i % DIM] = key < LENGTH ? v[(head() + key) * DIM + i % DIM] : 0.0;
  }
}

float score(float own[DIM], uint key) {
  float sum = 0.0;
  [[unroll]] for (uint d = 0; d < DIM; ++d) sum += own[d] * key_tile[key][d];
  return sum;
}

void store(float sum[DIM], float total) {
  const uint query = gl_GlobalInvocationID.x;
  if (query >= LENGTH) return;
  [[unroll]] for (uint d = 0; d < DIM; ++d) o[(head() + query) * DIM + d] = sum[d] / total;
}
