//! title = "Slices"
//! claim = "like Registers, but 16 workgroups each compute the forces of a slice of the bodies, and the last one adds them"
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
//! SLICES = [16, 8, 4]
//! SHARES = [4, 8]
//! UNROLL = [32, 16, 8]
//! HELD = [1024, 256]
//! [constants]
//! BLOCK = { least = 1, most = 1024 }
//! INVOCATIONS = { least = 1, most = 2048, divides = ["BLOCK", "SHARES"] }
//! SHARES = { least = 1, most = 64, divides = "INVOCATIONS" }
//! UNROLL = { least = 1, most = 64 }
//! HELD = { least = "INVOCATIONS", most = 4096, multiple_of = ["UNROLL", "SHARES"] }
//! OWN = { most = 16 }
//! SLICES = { least = 1, most = 64, divides = "BLOCK" }
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 128;  // bodies that workgroups share
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint SHARES = 4;
layout(constant_id = 3) const uint UNROLL = 32;
layout(constant_id = 4) const uint HELD = 1024;  // bodies that shared memory holds
layout(constant_id = 5) const uint SLICES = 16;  // workgroups that share a block
layout(local_size_x_id = 1) in;

layout(binding = 4) coherent buffer Partial { vec4 partial[]; };  // BLOCK per workgroup
layout(binding = 5) coherent buffer Arrived { uint arrived[]; };  // workgroups, by block

// SLICES workgroups have the same block of bodies, so a launch has one for every COVERS.
const uint COVERS = BLOCK / SLICES;

// Within a workgroup as in registers.comp: SHARES invocations keep the same bodies, and each adds the
// forces of every SHARES-th body of the workgroup's slice.
const uint KEEPERS = INVOCATIONS / SHARES;
const uint OWN = BLOCK / KEEPERS;  // bodies that an invocation keeps

shared vec4 tile[HELD];
shared uint done_before;  // number of workgroups of the block that arrived before this one

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint keeper = local % KEEPERS;
  const uint share = local / KEEPERS;
  const uint block = gl_WorkGroupID.x / SLICES;
  const uint first_group = block * SLICES;
  const uint slices = min(SLICES, gl_NumWorkGroups.x - first_group);
  const uint slice = gl_WorkGroupID.x - first_group;

  vec3 here[OWN];
  vec3 acceleration[OWN];
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    const uint body = block * BLOCK + keeper + i * KEEPERS;
    here[i] = body < BODIES ? position[body].xyz : vec3(0.0);
    acceleration[i] = vec3(0.0);
  }
  // Slices consist of whole tiles; an inner loop of variable length is 5% slower.
  const uint tiles = (BODIES + HELD - 1) / HELD;
  const uint end = tiles * (slice + 1) / slices * HELD;
  for (uint first = tiles * slice / slices * HELD; first < end; first += HELD) {
    // Beyond the last body, a tile contains masses of zero, which exert no force.
    [[unroll]] for (uint k = local; k < HELD; k += INVOCATIONS) {
      tile[k] = first + k < BODIES ? position[first + k] : vec4(0.0);
    }
    barrier();

    [[dont_unroll]] for (uint k = share; k < HELD; k += UNROLL * SHARES) {
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
  }
  const uint room = gl_WorkGroupID.x * BLOCK + keeper;
  if (share == 0) {
    [[unroll]] for (uint i = 0; i < OWN; ++i) {
      partial[room + i * KEEPERS] = vec4(acceleration[i], 0.0);
    }
  }

  // No workgroup waits for another one: the last workgroup of a block adds all results.
  memoryBarrierBuffer();
  barrier();
  if (local == 0) done_before = atomicAdd(arrived[block], 1);
  barrier();
  if (done_before + 1 < slices) return;
  memoryBarrierBuffer();
  if (local == 0) arrived[block] = 0;
  [[dont_unroll]] for (uint b = local; b < BLOCK && block * BLOCK + b < BODIES; b += INVOCATIONS) {
    vec3 sum = vec3(0.0);
    [[dont_unroll]] for (uint s = 0; s < slices; s += 8) {
      [[unroll]] for (uint i = s; i < s + 8; ++i) {  // eight loads at a time
        const vec3 part = partial[(first_group + min(i, slices - 1)) * BLOCK + b].xyz;
        sum += i < slices ? part : vec3(0.0);
      }
    }
    const uint body = block * BLOCK + b;
    advance(body, position[body], sum);
  }
}
