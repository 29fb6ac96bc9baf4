//! title = "Registers"
//! claim = "each invocation keeps 4 bodies at tile 128: one read of shared memory serves all of them"
//! expect = "correct"
//! order = 2
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256]
//! preset = 128
//! multiple_of = 64
//! [tune]
//! INVOCATIONS = [128, 256]
//! SHARES = [4, 8]
//! UNROLL = [32, 16, 8]
//! [constants]
//! BLOCK = { least = 1, most = 1024 }
//! INVOCATIONS = { least = 1, most = 2048, divides = ["BLOCK", "SHARES"] }
//! SHARES = { least = 1, most = 64, divides = "INVOCATIONS" }
//! UNROLL = { least = 1, most = 64 }
//! TILE = { least = "INVOCATIONS", most = 4096, multiple_of = ["UNROLL", "SHARES"] }
//! OWN = { most = 16 }
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 128;  // bodies per workgroup
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint SHARES = 4;
layout(constant_id = 3) const uint UNROLL = 32;
layout(constant_id = 4) const uint TILE = 1024;  // bodies that shared memory holds
layout(local_size_x_id = 1) in;

// SHARES invocations keep the same bodies, and each adds the forces of every SHARES-th of all bodies.
// So a workgroup has few bodies, and a launch has enough workgroups to be distributed evenly over the
// device.
const uint KEEPERS = INVOCATIONS / SHARES;
const uint OWN = BLOCK / KEEPERS;  // bodies that an invocation keeps

shared vec4 tile[TILE];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint keeper = local % KEEPERS;
  const uint share = local / KEEPERS;
  const uint first_body = gl_WorkGroupID.x * BLOCK + keeper;

  vec3 here[OWN];
  vec3 acceleration[OWN];
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    const uint body = first_body + i * KEEPERS;
    here[i] = body < BODIES ? position[body].xyz : vec3(0.0);
    acceleration[i] = vec3(0.0);
  }
  for (uint first = 0; first < BODIES; first += TILE) {
    // Beyond the last body, a tile contains masses of zero, which exert no force.
    [[unroll]] for (uint k = local; k < TILE; k += INVOCATIONS) {
      tile[k] = first + k < BODIES ? position[first + k] : vec4(0.0);
    }
    barrier();

    [[dont_unroll]] for (uint k = share; k < TILE; k += UNROLL * SHARES) {
      [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
        const vec4 other = tile[k + u * SHARES];
        [[unroll]] for (uint i = 0; i < OWN; ++i) {
          acceleration[i] += pull(here[i], other);
        }
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    if (SHARES > 1) {
      tile[local] = vec4(acceleration[i], 0.0);
      barrier();
      for (uint s = 1; s < SHARES && share == 0; ++s) {
        acceleration[i] += tile[s * KEEPERS + keeper].xyz;
      }
      barrier();
    }
    const uint body = first_body + i * KEEPERS;
    if (share == 0 && body < BODIES) advance(body, position[body], acceleration[i]);
  }
}
