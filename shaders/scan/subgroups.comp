//! title = "Subgroups"
//! claim = "subgroups scan in registers: a number a subgroup in shared memory, and 4 barriers however large the block"
//! order = 3
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "sums"
//! words = [1]
//! [[scratch]]
//! name = "through"
//! words = [1]
//! [[scratch]]
//! name = "known"
//! words = [1]
//! [[scratch]]
//! name = "turns"
//! words = [2]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 64
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

const uint COVERS = BLOCK;

#include "chain.glsl"

shared float tile[BLOCK / 4];  // a sum a subgroup, of 4 invocations at least
shared float all;

void main() {
  const uint block = take_block();
  // Invocations as subgroups count them, so that elements are in their order.
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
