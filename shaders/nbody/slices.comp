//! title = "Slices"
//! claim = "as registers, but 16 workgroups take a slice of the bodies each, and the last adds up: an even spread"
//! expect = "correct"
//! order = 3
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "partial"
//! words = [4, "BLOCK"]
//! [[scratch]]
//! name = "arrived"
//! words = [1]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256]
//! preset = 128
//! multiple_of = 64
//! [tune]
//! SLICES = [4, 8, 16]
//! SHARES = [4, 8]
//! UNROLL = [8, 16, 32]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "kept.glsl"

layout(constant_id = 5) const uint SLICES = 16;

// SLICES workgroups have the same block of bodies, so in a launch there is one for every COVERS.
const uint COVERS = BLOCK / SLICES;

layout(binding = 4) coherent buffer Partial { vec4 partial[]; };  // BLOCK a workgroup
layout(binding = 5) coherent buffer Arrived { uint arrived[]; };  // workgroups, by block

shared uint before;  // this one

void main() {
  const uint block = gl_WorkGroupID.x / SLICES;
  const uint first_group = block * SLICES;
  const uint slices = min(SLICES, gl_NumWorkGroups.x - first_group);
  const uint slice = gl_WorkGroupID.x - first_group;
  const uint tiles = (BODIES + TILE - 1) / TILE;
  keep(block * BLOCK);
  pull_by(tiles * slice / slices * TILE, tiles * (slice + 1) / slices * TILE);
  add_shares();
  const uint room = gl_WorkGroupID.x * BLOCK + keeper;
  if (share == 0) {
    [[unroll]] for (uint i = 0; i < OWN; ++i) {
      partial[room + i * KEEPERS] = vec4(acceleration[i], 0.0);
    }
  }

  // Nobody waits for another workgroup: the last one of a block adds up what all have left.
  memoryBarrierBuffer();
  barrier();
  if (self == 0) before = atomicAdd(arrived[block], 1);
  barrier();
  if (before + 1 < slices) return;
  memoryBarrierBuffer();
  if (self == 0) arrived[block] = 0;
  [[dont_unroll]] for (uint b = self; b < BLOCK && block * BLOCK + b < BODIES; b += INVOCATIONS) {
    vec3 sum = vec3(0.0);
    [[dont_unroll]] for (uint s = 0; s < slices; ++s) {
      sum += partial[(first_group + s) * BLOCK + b].xyz;
    }
    const uint body = block * BLOCK + b;
    advance(body, position[body], sum);
  }
}
