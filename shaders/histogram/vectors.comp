//! title = "Vectors"
//! claim = "one copy of the bins per bank, so a subgroup has no conflicts; loads of 16 bytes, several at a time"
//! order = 3
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "totals"
//! total = [256]
//! [[scratch]]
//! name = "arrived"
//! total = [1]
//! [constants]
//! VECTORS = { least = 1, most = 1024 }
//! COPIES = { least = 1, most = 32, power_of_two = true }
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 64
//! [tune]
//! VECTORS = [4, 8, 16, 32]
//! COPIES = [8, 16, 32]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"
layout(binding = 0) restrict readonly buffer VectorsOfWords { uvec4 words4[]; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(constant_id = 1) const uint VECTORS = 8;  // vectors that an invocation loads
layout(constant_id = 2) const uint COPIES = 16;
layout(local_size_x_id = 0) in;

const uint COVERS = 16 * VECTORS * BLOCK;
const uint AT_ONCE = 4;  // divides VECTORS

shared uint bins[BINS * COPIES];  // the copies of a bin are in different banks

void count(uint value, uint copy) { atomicAdd(bins[value * COPIES + copy], 1); }

void count_word(uint word, uint copy) {
  count(word & 0xFFu, copy);
  count(bitfieldExtract(word, 8, 8), copy);
  count(bitfieldExtract(word, 16, 8), copy);
  count(word >> 24, copy);
}

void count_vector(uvec4 v, uint copy) {
  count_word(v.x, copy);
  count_word(v.y, copy);
  count_word(v.z, copy);
  count_word(v.w, copy);
}

void hand_in();

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint copy = local % COPIES;
  for (uint i = local; i < BINS * COPIES; i += BLOCK) bins[i] = 0;
  barrier();
  const uint first = gl_WorkGroupID.x * VECTORS * BLOCK + local;
  if ((gl_WorkGroupID.x + 1) * COVERS <= N) {
    for (uint i = 0; i < VECTORS; i += AT_ONCE) {
      uvec4 v[AT_ONCE];
      [[unroll]] for (uint u = 0; u < AT_ONCE; ++u) v[u] = words4[first + (i + u) * BLOCK];
      [[unroll]] for (uint u = 0; u < AT_ONCE; ++u) count_vector(v[u], copy);
    }
  } else {  // the last workgroup, whose vectors may reach beyond the end
    for (uint i = 0; i < VECTORS; ++i) {
      const uint from = 16 * (first + i * BLOCK);
      for (uint at = from; at < min(from + 16, N); ++at) {
        count(bitfieldExtract(words[at / 4], int(8 * (at % 4)), 8), copy);
      }
    }
  }
  barrier();
  for (uint bin = local; bin < BINS; bin += BLOCK) {
    uint sum = 0;
    [[unroll]] for (uint c = 0; c < COPIES; ++c) sum += bins[bin * COPIES + (c + bin) % COPIES];
    if (sum > 0) atomicAdd(totals[bin], sum);
  }
  hand_in();
}

#include "last.glsl"
