//! title = "Double buffer"
//! claim = "Correct with 1 barrier per iteration: the producer fills one cell while the consumer reads the other"
//! expect = "correct"
//! order = 4
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(local_size_x = 2) in;

shared float x[2];

void main() {
  const uint row = gl_WorkGroupID.x * ROUNDS;
  for (uint i = 0; i < ROUNDS; ++i) {
    if (gl_LocalInvocationID.x == 0) {
      x[i % 2] = prepare(items[row + i]);
    }
    barrier();
    if (gl_LocalInvocationID.x == 1) {
      taken[row + i] = use(x[i % 2]);
    }
  }
}
