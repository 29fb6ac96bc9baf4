//! title = "Registers"
//! claim = "each invocation keeps BLOCK/INVOCATIONS bodies: one read of shared memory serves them all"
//! expect = "correct"
//! order = 2
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [1024, 2048]
//! preset = 2048
//! multiple_of = 1024
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 2048;  // bodies a workgroup
layout(constant_id = 1) const uint INVOCATIONS = 1024;
layout(constant_id = 2) const uint UNROLL = 8;
layout(local_size_x_id = 1) in;

const uint OWN = BLOCK / INVOCATIONS;

shared vec4 tile[BLOCK];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint first_body = gl_WorkGroupID.x * BLOCK + local;

  vec3 here[OWN];
  vec3 acceleration[OWN];
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    const uint body = first_body + i * INVOCATIONS;
    here[i] = body < BODIES ? position[body].xyz : vec3(0.0);
    acceleration[i] = vec3(0.0);
  }
  for (uint first = 0; first < BODIES; first += BLOCK) {
    // Beyond the last body a tile holds masses of zero, which pull nothing.
    [[unroll]] for (uint i = 0; i < OWN; ++i) {
      const uint k = local + i * INVOCATIONS;
      tile[k] = first + k < BODIES ? position[first + k] : vec4(0.0);
    }
    barrier();

    [[dont_unroll]] for (uint k = 0; k < BLOCK; k += UNROLL) {
      [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
        const vec4 other = tile[k + u];
        [[unroll]] for (uint i = 0; i < OWN; ++i) {
          acceleration[i] += pull(here[i], other);
        }
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    const uint body = first_body + i * INVOCATIONS;
    if (body < BODIES) advance(body, position[body], acceleration[i]);
  }
}
