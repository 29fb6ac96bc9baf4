//! title = "One pass"
//! claim = "one launch: a subgroup reads the sums of several earlier blocks at once. Each element is read and written once"
//! order = 5
//! requires = ["int64_atomics"]
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "states"
//! words = [2]
//! [[scratch]]
//! name = "turns"
//! words = [3]
//! [constants]
//! VECTORS = { least = 1, most = 16 }
//! [tile]
//! constant = "BLOCK"
//! values = [128, 256, 512]
//! preset = 256
//! multiple_of = 64
//! [tune]
//! VECTORS = [2, 4, 6, 8, 10, 11]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#include "bindings.glsl"
layout(binding = 0) restrict readonly buffer VectorsA { vec4 a4[]; };
layout(binding = 1) restrict writeonly buffer VectorsS { vec4 s4[]; };

layout(constant_id = 0) const uint BLOCK = 256;
layout(constant_id = 1) const uint VECTORS = 4;  // vectors that an invocation loads
layout(local_size_x_id = 0) in;

const uint COVERS = 4 * VECTORS * BLOCK;

shared float tile[BLOCK / 4];  // one sum per subgroup, of at least 4 invocations
shared float before_block;

// For the last block, whose vectors may reach beyond the end.
vec4 load(uint vector) {
  if (4 * vector + 3 < N) return a4[vector];
  vec4 v = vec4(0.0);
  for (uint c = 0; 4 * vector + c < N && c < 4; ++c) v[c] = a[4 * vector + c];
  return v;
}

void store(uint vector, vec4 v) {
  if (4 * vector + 3 < N) {
    s4[vector] = v;
  } else {
    for (uint c = 0; 4 * vector + c < N && c < 4; ++c) s[4 * vector + c] = v[c];
  }
}

uint take_block();                       // number of the block of this workgroup
float look_back(uint block, float sum);  // sum of all blocks before it
void finish();

void main() {
  const uint block = take_block();

  // A subgroup has VECTORS rows of vectors, one after the other.
  const uint row = gl_SubgroupSize;
  const uint first = block * (COVERS / 4) + gl_SubgroupID * row * VECTORS + gl_SubgroupInvocationID;
  vec4 v[VECTORS];
  if ((block + 1) * COVERS <= N) {
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) v[i] = a4[first + i * row];
  } else {
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) v[i] = load(first + i * row);
  }
  float sum = 0.0;  // sum of the subgroup's rows so far
  [[unroll]] for (uint i = 0; i < VECTORS; ++i) {
    v[i].y += v[i].x;
    v[i].z += v[i].y;
    v[i].w += v[i].z;
    const float through = subgroupInclusiveAdd(v[i].w);
    v[i] += sum + through - v[i].w;
    sum += subgroupBroadcast(through, row - 1);
  }
  if (gl_SubgroupInvocationID == 0) tile[gl_SubgroupID] = sum;
  barrier();

  float before = 0.0;  // sum of the subgroups before this one, and of all blocks before
  float all = 0.0;
  for (uint g = gl_SubgroupInvocationID; g < gl_NumSubgroups; g += row) {
    all += tile[g];
    before += g < gl_SubgroupID ? tile[g] : 0.0;
  }
  all = subgroupAdd(all);
  before = subgroupAdd(before);
  if (gl_SubgroupID == 0) {
    const float blocks = look_back(block, all);
    if (gl_SubgroupInvocationID == 0) before_block = blocks;
  }
  barrier();
  before += before_block;

  if ((block + 1) * COVERS <= N) {
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) s4[first + i * row] = v[i] + before;
  } else {
    [[unroll]] for (uint i = 0; i < VECTORS; ++i) store(first + i * row, v[i] + before);
  }

  finish();
}

#include "look_back.glsl"
