//! title = "First add on load"
//! claim = "each invocation adds two elements before the tree: half as many workgroups, and no invocation starts idle"
//! order = 3
//! covers = ["COVERS"]
//! [[scratch]]
//! name = "partial"
//! words = [1]
//! [[scratch]]
//! name = "arrived"
//! words = [1]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256, 512]
//! preset = 256
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

const uint COVERS = 2 * BLOCK;

shared float tile[BLOCK];

void hand_in(float sum);  // in the first invocation: the sum of the workgroup

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint i = gl_WorkGroupID.x * COVERS + local;
  tile[local] = (i < N ? a[i] : 0.0) + (i + BLOCK < N ? a[i + BLOCK] : 0.0);
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (local < stride) tile[local] += tile[local + stride];
    barrier();
  }
  hand_in(tile[0]);
}

#include "last.glsl"
