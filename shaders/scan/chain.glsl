// One invocation looks back, one block at a time.
#include "states.glsl"

const uint PATIENCE = 64;  // number of reads before this workgroup adds a missing block itself

shared float sum_before;

float sum_of_block(uint block) {
  float sum = 0.0;
  for (uint i = 0; i < COVERS; i += 8) {
    [[unroll]] for (uint u = 0; u < 8; ++u) sum += a[block * COVERS + i + u];
  }
  return sum;
}

// Returns the sum of all blocks before this one; `sum` is the block's own, in the first invocation.
float take_over(uint block, float sum) {
  if (gl_LocalInvocationID.x == 0) {
    tell(block, SUM, sum);
    float before = 0.0;
    uint what = 0;
    for (uint b = block; b > 0 && what != THROUGH; --b) {
      uvec2 state = uvec2(0);
      for (uint i = 0; i < PATIENCE && state.y == 0; ++i) state = ask(b - 1);
      what = state.y;
      before += what == 0 ? sum_of_block(b - 1) : uintBitsToFloat(state.x);
    }
    tell(block, THROUGH, before + sum);
    sum_before = before;
  }
  barrier();
  return sum_before;
}
