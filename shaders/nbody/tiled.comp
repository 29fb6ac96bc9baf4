//! title = "Tiled"
//! claim = "2 barriers per iteration; reads each body from global memory TILE times less often"
//! expect = "correct"
//! order = 1
//! [tile]
//! constant = "TILE"
//! values = [64, 128, 256, 512, 1024]
//! preset = 256
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 256;
layout(local_size_x_id = 0) in;

shared vec4 tile[TILE];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint body = gl_GlobalInvocationID.x;

  const vec4 here = body < BODIES ? position[body] : vec4(0.0);
  vec3 acceleration = vec3(0.0);
  for (uint first = 0; first < BODIES; first += TILE) {
    // Beyond the last body, a tile contains masses of zero, which exert no force.
    tile[local] = first + local < BODIES ? position[first + local] : vec4(0.0);
    barrier();

    for (uint k = 0; k < TILE; ++k) {
      acceleration += pull(here.xyz, tile[k]);
    }
    barrier();
  }

  if (body < BODIES) advance(body, here, acceleration);
}
