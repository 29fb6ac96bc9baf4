//! title = "Global atomics"
//! claim = "each byte adds 1 to a bin in global memory: all workgroups compete for the same 256 words"
//! order = 0
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "totals"
//! total = [256]
//! [[scratch]]
//! name = "arrived"
//! total = [1]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

const uint COVERS = 4 * BLOCK;

void hand_in();

void main() {
  const uint first = 4 * gl_GlobalInvocationID.x;
  const uint word = first < N ? words[gl_GlobalInvocationID.x] : 0;
  for (uint b = 0; b < 4 && first + b < N; ++b) {
    atomicAdd(totals[bitfieldExtract(word, int(8 * b), 8)], 1);
  }
  hand_in();
}

#include "last.glsl"
