//! title = "Shared atomics"
//! claim = "each workgroup counts in shared memory, and adds its 256 bins to global memory once at the end"
//! order = 1
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "totals"
//! total = [256]
//! [[scratch]]
//! name = "arrived"
//! total = [1]
//! [constants]
//! WORDS = { least = 1, most = 1024 }
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
layout(local_size_x_id = 0) in;

const uint COVERS = 4 * WORDS * BLOCK;

shared uint bins[BINS];

void hand_in();

void main() {
  const uint local = gl_LocalInvocationID.x;
  for (uint bin = local; bin < BINS; bin += BLOCK) bins[bin] = 0;
  barrier();
  for (uint w = 0; w < WORDS; ++w) {
    const uint at = (gl_WorkGroupID.x * WORDS + w) * BLOCK + local;
    const uint word = 4 * at < N ? words[at] : 0;
    for (uint b = 0; b < 4 && 4 * at + b < N; ++b) {
      atomicAdd(bins[bitfieldExtract(word, int(8 * b), 8)], 1);
    }
  }
  barrier();
  for (uint bin = local; bin < BINS; bin += BLOCK) {
    if (bins[bin] > 0) atomicAdd(totals[bin], bins[bin]);
  }
  hand_in();
}

#include "last.glsl"
