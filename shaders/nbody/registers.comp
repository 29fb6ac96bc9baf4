//! title = "Registers"
//! claim = "each invocation keeps 4 bodies at tile 128: one read of shared memory serves them all"
//! expect = "correct"
//! order = 2
//! covers = ["BLOCK"]
//! [tile]
//! constant = "BLOCK"
//! values = [64, 128, 256]
//! preset = 128
//! multiple_of = 64
//! [tune]
//! INVOCATIONS = [128, 256]
//! SHARES = [4, 8]
//! UNROLL = [8, 16, 32]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "kept.glsl"

void main() {
  const uint first_body = gl_WorkGroupID.x * BLOCK;
  keep(first_body);
  pull_by(0, BODIES);
  add_shares();
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    const uint body = first_body + place(i);
    if (share == 0 && body < BODIES) advance(body, position[body], acceleration[i]);
  }
}
