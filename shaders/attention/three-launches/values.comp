//! title = "Times V"
//! claim = "one invocation per element of the output: a row of weights times a column of V"
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 16
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"
#include "scores.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(constant_id = 1) const uint DIM = 64;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

void main() {
  const uint d = gl_GlobalInvocationID.x;
  const uint query = gl_GlobalInvocationID.y;
  const uint head = gl_GlobalInvocationID.z * LENGTH;
  if (d >= DIM || query >= LENGTH) return;

  float sum = 0.0;
  for (uint key = 0; key < LENGTH; ++key) {
    sum += scores[(head + query) * LENGTH + key] * v[(head + key) * DIM + d];
  }
  o[(head + query) * DIM + d] = sum;
}
