//! title = "Hillis and Steele"
//! claim = "each invocation adds the sum 1, 2, 4, ... places before its own: log2(BLOCK) steps, nearly all invocations busy"
//! order = 0
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
//! multiple_of = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 256;
layout(local_size_x_id = 0) in;

const uint COVERS = BLOCK;

shared float tile[2][BLOCK];

uint take_block();                       // number of the block of this workgroup
float take_over(uint block, float sum);  // sum of all blocks before it
void finish();

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint block = take_block();
  const uint i = block * BLOCK + local;
  tile[0][local] = i < N ? a[i] : 0.0;
  barrier();
  uint from = 0;  // half that sums are read from; they are written to the other
  for (uint stride = 1; stride < BLOCK; stride *= 2) {
    const float before = local >= stride ? tile[from][local - stride] : 0.0;
    tile[1 - from][local] = tile[from][local] + before;
    from = 1 - from;
    barrier();
  }
  const float sum = take_over(block, tile[from][BLOCK - 1]) + tile[from][local];
  if (i < N) s[i] = sum;
  finish();
}

#include "chain.glsl"
