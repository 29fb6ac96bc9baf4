//! title = "Naive"
//! claim = "no shared memory: each invocation reads every body from global memory"
//! expect = "correct"
//! order = 0
//! [tile]
//! constant = "TILE"
//! values = [64, 128, 256, 512, 1024]
//! preset = 256
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint TILE = 256;
layout(local_size_x_id = 0) in;

void main() {
  const uint body = gl_GlobalInvocationID.x;
  if (body >= BODIES) return;

  const vec4 here = position[body];
  vec3 acceleration = vec3(0.0);
  for (uint other = 0; other < BODIES; ++other) {
    acceleration += pull(here.xyz, position[other]);
  }
  advance(body, here, acceleration);
}
