//! title = "Two barriers"
//! claim = "Correct: after the first barrier the item is in x, after the second the consumer has taken it"
//! expect = "correct"
//! order = 0
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(local_size_x = 2) in;

shared float x;

void main() {
  const uint row = gl_WorkGroupID.x * ROUNDS;
  for (uint i = 0; i < ROUNDS; ++i) {
    if (gl_LocalInvocationID.x == 0) {
      x = prepare(items[row + i]);
    }
    barrier();
    if (gl_LocalInvocationID.x == 1) {
      taken[row + i] = use(x);
    }
    barrier();
  }
}
