//! title = "Subgroups"
//! claim = "subgroups scan in registers: one value per subgroup in shared memory, and 4 barriers for any block size"
//! order = 4
//! requires = ["int64_atomics"]
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "states"
//! words = [2]
//! [[scratch]]
//! name = "turns"
//! words = [3]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 64
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

const uint COVERS = BLOCK;

shared float tile[BLOCK / 4];  // one sum per subgroup, of at least 4 invocations
shared float all;

uint take_block();                       // number of the block of this workgroup
float take_over(uint block, float sum);  // sum of all blocks before it
void finish();

void main() {
  const uint block = take_block();
  // Invocations in the order of subgroups and lanes, so that elements are in this order too.
  const uint local = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  const uint i = block * BLOCK + local;
  float sum = subgroupInclusiveAdd(i < N ? a[i] : 0.0);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) tile[gl_SubgroupID] = sum;
  barrier();
  float before = 0.0;
  for (uint g = gl_SubgroupInvocationID; g < gl_SubgroupID; g += gl_SubgroupSize) before += tile[g];
  sum += subgroupAdd(before);
  if (local == BLOCK - 1) all = sum;
  barrier();
  sum += take_over(block, all);
  if (i < N) s[i] = sum;
  finish();
}

#include "chain.glsl"
