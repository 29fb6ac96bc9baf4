//! title = "Pack"
//! claim = "copies A and B with rows aligned to 16 bytes and zeros at the ends, so that products read whole vectors"
//! covers = [32, 32, 1]
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "../bindings.glsl"
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 5) restrict writeonly buffer PackedA { float packed_a[]; };  // M rows, of W elements
layout(binding = 6) restrict writeonly buffer PackedB { float packed_b[]; };  // W rows, of N

// Rows of A are rounded up to 16 elements, those of B to 4; B has as many rows as A's have elements.
void main() {
  const uint deep = (W + 15) / 16 * 16;
  const uint wide = (N + 3) / 4 * 4;
  const uint column = gl_WorkGroupID.x * 32 + gl_LocalInvocationID.x;
  [[unroll]] for (uint i = 0; i < 32; i += 8) {
    const uint row = gl_WorkGroupID.y * 32 + gl_LocalInvocationID.y + i;
    if (gl_WorkGroupID.z == 0) {
      if (row < M && column < deep) {
        float x = 0.0;
        if (column < W) x = a[row * W + column];
        packed_a[row * deep + column] = x;
      }
    } else if (row < deep && column < wide) {
      float x = 0.0;
      if (row < W && column < N) x = b[row * N + column];
      packed_b[row * wide + column] = x;
    }
  }
}
