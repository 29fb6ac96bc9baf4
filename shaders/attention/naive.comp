//! title = "One launch, naive"
//! claim = "one workgroup per query, with all its scores in shared memory: each workgroup reads all keys and values again"
//! order = 1
//! covers = [1]
//! [tile]
//! constant = "BLOCK"
//! values = [32, 64, 128]
//! preset = 64
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 64;
layout(constant_id = 1) const uint DIM = 64;
layout(constant_id = 2) const uint LENGTH_AT_MOST = 256;
layout(local_size_x_id = 0) in;

shared float score[LENGTH_AT_MOST];
shared float part[BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint head = gl_WorkGroupID.y * LENGTH;
  const uint query = (head + gl_WorkGroupID.x) * DIM;

  float most = -1.0 / 0.0;
  for (uint key = local; key < LENGTH; key += BLOCK) {
    float sum = 0.0;
    for (uint d = 0; d < DIM; ++d) sum += q[query + d] * k[(head + key) * DIM + d];
    score[key] = sum * SCALE;
    most = max(most, score[key]);
  }
  part[local] = most;
  barrier();
  for (uint i = 0; i < BLOCK; ++i) most = max(most, part[i]);
  barrier();

  float total = 0.0;
  for (uint key = local; key < LENGTH; key += BLOCK) {
    score[key] = exp2(score[key] - most);
    total += score[key];
  }
  part[local] = total;
  barrier();
  total = 0.0;
  for (uint i = 0; i < BLOCK; ++i) total += part[i];

  for (uint d = local; d < DIM; d += BLOCK) {
    float sum = 0.0;
    for (uint key = 0; key < LENGTH; ++key) sum += score[key] * v[(head + key) * DIM + d];
    o[query + d] = sum / total;
  }
}
