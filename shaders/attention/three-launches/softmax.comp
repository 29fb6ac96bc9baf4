//! title = "Softmax"
//! claim = "one workgroup per row of scores: a tree in shared memory finds the maximum, another the sum of exponentials"
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"
#include "scores.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

shared float part[BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint row = (gl_WorkGroupID.y * LENGTH + gl_WorkGroupID.x) * LENGTH;

  float most = -1.0 / 0.0;
  for (uint key = local; key < LENGTH; key += BLOCK) most = max(most, scores[row + key]);
  part[local] = most;
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (local < stride) part[local] = max(part[local], part[local + stride]);
    barrier();
  }
  most = part[0];
  barrier();

  float total = 0.0;
  for (uint key = local; key < LENGTH; key += BLOCK) total += exp2(scores[row + key] - most);
  part[local] = total;
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (local < stride) part[local] += part[local + stride];
    barrier();
  }
  total = part[0];

  for (uint key = local; key < LENGTH; key += BLOCK) {
    scores[row + key] = exp2(scores[row + key] - most) / total;
  }
}
