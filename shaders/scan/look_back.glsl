// A subgroup looks back at several blocks at once, one per invocation.
#include "states.glsl"

const uint PATIENCE = 256;  // number of reads before this workgroup adds a missing block itself

float sum_of_block(uint block) {
  const uint first = block * (COVERS / 4);
  float sum = 0.0;
  for (uint i = gl_SubgroupInvocationID; i < COVERS / 4; i += gl_SubgroupSize) {
    const vec4 v = a4[first + i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  return subgroupAdd(sum);
}

// Returns the sum of all blocks before this one; `sum` is the block's own. Called by a whole subgroup.
float look_back(uint block, float sum) {
  const uint lane = gl_SubgroupInvocationID;
  if (lane == 0) tell(block, block == 0 ? THROUGH : SUM, sum);
  float before = 0.0;
  uint done = block;  // `before` contains the blocks from this one on
  while (done > 0) {
    // The nearest block comes first. Nothing is missing before block 0.
    uvec2 state = uvec2(0, lane < done ? 0 : THROUGH);
    uvec4 missing = uvec4(0);
    uint known = 0;  // nearest block that knows the sum of all blocks before it
    for (uint i = 0; i < PATIENCE; ++i) {
      if (state.y == 0) state = ask(done - 1 - lane);
      const uvec4 through = subgroupBallot(state.y == THROUGH);
      known = through == uvec4(0) ? gl_SubgroupSize - 1 : subgroupBallotFindLSB(through);
      missing = subgroupBallot(state.y == 0 && lane <= known);
      if (missing == uvec4(0)) break;
    }
    // Adds the blocks up to the first one that is missing, and computes that one here.
    const bool stuck = missing != uvec4(0);
    const uint usable = stuck ? subgroupBallotFindLSB(missing) : known + 1;
    before += subgroupAdd(lane < min(usable, done) ? uintBitsToFloat(state.x) : 0.0);
    if (!stuck && subgroupAny(lane == known && state.y == THROUGH)) break;
    done -= min(done, usable);
    if (stuck) {
      before += sum_of_block(done - 1);
      --done;
    }
  }
  if (lane == 0 && block > 0) tell(block, THROUGH, before + sum);
  return before;
}
