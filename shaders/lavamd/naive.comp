//! title = "Naive"
//! claim = "no shared memory: each invocation reads all particles of the neighbouring boxes from global memory"
//! expect = "correct"
//! order = 0
//! [tile]
//! constant = "TILE"
//! values = [32, 64, 128, 256]
//! preset = 64
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 64;
layout(local_size_x_id = 0) in;

void main() {
  const uint home = gl_WorkGroupID.y;
  const uint mine = gl_GlobalInvocationID.x;
  if (mine >= PARTICLES) return;

  const vec3 here = particle[home * PARTICLES + mine].xyz;
  vec4 sum = vec4(0.0);
  for (uint n = 0; n < neighbours[home * LISTED]; ++n) {
    const uint box = neighbours[home * LISTED + 1 + n];
    for (uint k = 0; k < PARTICLES; ++k) {
      sum += act(here, particle[box * PARTICLES + k]);
    }
  }
  force[home * PARTICLES + mine] = sum;
}
