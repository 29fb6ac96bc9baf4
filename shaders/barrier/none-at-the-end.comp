//! title = "No last barrier"
//! claim = "Correct: after the last iteration no write follows, so no barrier is needed"
//! expect = "correct"
//! order = 3
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
    if (i + 1 == ROUNDS) {
      break;
    }
    barrier();
  }
}
