//! title = "One pass"
//! claim = "loads of 16 bytes, many at a time per invocation: as fast as memory, and few sums are left to add"
//! order = 5
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "partial"
//! words = [1]
//! [[scratch]]
//! name = "arrived"
//! words = [1]
//! [constants]
//! VECTORS = { least = 1, most = 1024 }
//! ROUNDS = { least = 1, most = 1024 }
//! [tile]
//! constant = "BLOCK"
//! values = [128, 256, 512]
//! preset = 256
//! multiple_of = 64
//! [tune]
//! VECTORS = [1, 2, 4, 8, 16, 32]
//! ROUNDS = [1, 2, 4, 8, 16]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "bindings.glsl"
layout(binding = 0) restrict readonly buffer VectorsA { vec4 a4[]; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(constant_id = 1) const uint VECTORS = 8;  // vectors that an invocation loads at a time
layout(constant_id = 2) const uint ROUNDS = 1;   // number of times
layout(local_size_x_id = 0) in;

const uint COVERS = 4 * VECTORS * ROUNDS * BLOCK;

float sum_of(vec4 v) { return (v.x + v.y) + (v.z + v.w); }

// For the last workgroup, whose vectors may reach beyond the end.
float sum_of_vector(uint vector) {
  if (4 * vector + 3 < N) return sum_of(a4[vector]);
  float sum = 0.0;
  for (uint i = 4 * vector; i < N; ++i) sum += a[i];
  return sum;
}

void hand_in(float mine);  // value of the invocation

void main() {
  const uint first = gl_WorkGroupID.x * (COVERS / 4) + gl_LocalInvocationID.x;
  float sum = 0.0;
  if ((gl_WorkGroupID.x + 1) * COVERS <= N) {
    [[dont_unroll]] for (uint r = 0; r < ROUNDS; ++r) {
      vec4 v[VECTORS];
      const uint from = first + r * VECTORS * BLOCK;
      [[unroll]] for (uint i = 0; i < VECTORS; ++i) v[i] = a4[from + i * BLOCK];
      [[unroll]] for (uint i = 0; i < VECTORS; ++i) sum += sum_of(v[i]);
    }
  } else {
    for (uint i = 0; i < VECTORS * ROUNDS; ++i) sum += sum_of_vector(first + i * BLOCK);
  }
  hand_in(sum);
}

#include "subgroups.glsl"
