//! title = "Blelloch"
//! claim = "up a tree of sums and down again: 2 additions per element instead of log2(BLOCK), but bank conflicts"
//! order = 1
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
//! values = [64, 128, 256]
//! preset = 256
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;  // invocations, of two elements each
layout(local_size_x_id = 0) in;

const uint COVERS = 2 * BLOCK;

shared float tile[COVERS];

uint at(uint i) { return i; }

uint take_block();                       // number of the block of this workgroup
float take_over(uint block, float sum);  // sum of all blocks before it
void finish();

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint block = take_block();
  const uint i = block * COVERS + local;
  tile[at(local)] = i < N ? a[i] : 0.0;
  tile[at(local + BLOCK)] = i + BLOCK < N ? a[i + BLOCK] : 0.0;
  const float first = tile[at(local)];
  const float second = tile[at(local + BLOCK)];

  // Up: a tree of sums, stored in place of the elements.
  for (uint stride = 1; stride < COVERS; stride *= 2) {
    barrier();
    const uint right = 2 * stride * (local + 1) - 1;
    if (right < COVERS) tile[at(right)] += tile[at(right - stride)];
  }
  barrier();
  const float all = tile[at(COVERS - 1)];
  barrier();
  if (local == 0) tile[at(COVERS - 1)] = 0.0;

  // Down: each node gets the sum of all elements before it: the one of its parent, and for a right
  // child also the sum of its left sibling.
  for (uint stride = BLOCK; stride > 0; stride /= 2) {
    barrier();
    const uint right = 2 * stride * (local + 1) - 1;
    if (right < COVERS) {
      const float left = tile[at(right - stride)];
      tile[at(right - stride)] = tile[at(right)];
      tile[at(right)] += left;
    }
  }
  const float before = take_over(block, all);
  if (i < N) s[i] = before + tile[at(local)] + first;
  if (i + BLOCK < N) s[i + BLOCK] = before + tile[at(local + BLOCK)] + second;
  finish();
}

#include "chain.glsl"
