//! title = "Three launches"
//! claim = "one launch each for scores, softmax and weights times values: writes scores and weights to memory and reads them back"
//! order = 0
//! [tile]
//! constant = "TILE"
//! values = [8, 16, 32]
//! preset = 16
//! [[scratch]]
//! name = "scores"
//! total = ["HEADS", "LENGTH", "LENGTH"]
//! [[launch]]
//! title = "Scores"
//! extent = ["LENGTH", "LENGTH", "HEADS"]
//! [[launch]]
//! kernel = "three-launches/softmax"
//! groups = ["LENGTH", "HEADS"]
//! [launch.constants]
//! BLOCK = "TILE * TILE"
//! [[launch]]
//! kernel = "three-launches/values"
//! extent = ["DIM", "LENGTH", "HEADS"]
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"
#include "three-launches/scores.glsl"

layout(constant_id = 0) const uint TILE = 16;
layout(constant_id = 1) const uint DIM = 64;
layout(local_size_x_id = 0, local_size_y_id = 0) in;

// One invocation per score.
void main() {
  const uint key = gl_GlobalInvocationID.x;
  const uint query = gl_GlobalInvocationID.y;
  const uint head = gl_GlobalInvocationID.z * LENGTH;
  if (key >= LENGTH || query >= LENGTH) return;

  float sum = 0.0;
  for (uint d = 0; d < DIM; ++d) sum += q[(head + query) * DIM + d] * k[(head + key) * DIM + d];
  scores[(head + query) * LENGTH + key] = sum * SCALE;
}
