//! title = "Tiled"
//! claim = "2 barriers per tile of a neighbouring box; reads each particle from global memory TILE times less often"
//! expect = "correct"
//! order = 1
//! [tile]
//! constant = "TILE"
//! values = [32, 64, 128, 256]
//! preset = 64
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 64;
layout(local_size_x_id = 0) in;

shared vec4 tile[TILE];

void main() {
  const uint home = gl_WorkGroupID.y;
  const uint local = gl_LocalInvocationID.x;
  const uint mine = gl_GlobalInvocationID.x;

  const vec3 here = mine < PARTICLES ? particle[home * PARTICLES + mine].xyz : vec3(0.0);
  vec4 sum = vec4(0.0);
  for (uint n = 0; n < neighbours[home * LISTED]; ++n) {
    const uint box = neighbours[home * LISTED + 1 + n];
    for (uint first = 0; first < PARTICLES; first += TILE) {
      if (first + local < PARTICLES) tile[local] = particle[box * PARTICLES + first + local];
      barrier();

      const uint count = min(TILE, PARTICLES - first);
      for (uint k = 0; k < count; ++k) {
        sum += act(here, tile[k]);
      }
      barrier();
    }
  }

  if (mine < PARTICLES) force[home * PARTICLES + mine] = sum;
}
