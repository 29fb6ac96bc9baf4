//! title = "Early return"
//! claim = "Divergent, so it is not run: an invocation that has returned never reaches the barriers"
//! expect = "diverges"
//! order = 6
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bindings.glsl"

layout(local_size_x = 2) in;

shared float x;

void main() {
  const uint row = gl_WorkGroupID.x * ROUNDS;
  for (uint i = 0; i < ROUNDS; ++i) {
    if (gl_LocalInvocationID.x == 0) {
      if (items[row + i] == 0.0) {
        return;
      }
      x = prepare(items[row + i]);
    }
    barrier();
    if (gl_LocalInvocationID.x == 1) {
      taken[row + i] = use(x);
    }
    barrier();
  }
}
