//! title = "Replicated"
//! claim = "8 copies of each bin, one for every 8th invocation: equal bytes cause fewer additions to the same word"
//! order = 2
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "totals"
//! total = [256]
//! [[scratch]]
//! name = "arrived"
//! total = [1]
//! [constants]
//! WORDS = { least = 1, most = 1024 }
//! COPIES = { least = 1, most = 32, power_of_two = true }
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(constant_id = 1) const uint WORDS = 16;  // words per invocation
layout(constant_id = 2) const uint COPIES = 8;
layout(local_size_x_id = 0) in;

const uint COVERS = 4 * WORDS * BLOCK;

shared uint bins[BINS * COPIES];  // the copies of a bin are in different banks

void hand_in();

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint copy = local % COPIES;
  for (uint i = local; i < BINS * COPIES; i += BLOCK) bins[i] = 0;
  barrier();
  for (uint w = 0; w < WORDS; ++w) {
    const uint at = (gl_WorkGroupID.x * WORDS + w) * BLOCK + local;
    const uint word = 4 * at < N ? words[at] : 0;
    for (uint b = 0; b < 4 && 4 * at + b < N; ++b) {
      atomicAdd(bins[bitfieldExtract(word, int(8 * b), 8) * COPIES + copy], 1);
    }
  }
  barrier();
  for (uint bin = local; bin < BINS; bin += BLOCK) {
    uint sum = 0;
    for (uint c = 0; c < COPIES; ++c) sum += bins[bin * COPIES + (c + bin) % COPIES];
    if (sum > 0) atomicAdd(totals[bin], sum);
  }
  hand_in();
}

#include "last.glsl"
