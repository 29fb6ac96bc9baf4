// As chain.glsl, but a whole subgroup looks back at once, and what there is of a block is one word of
// 64 bits, so that it is never seen half written.
layout(binding = 2) coherent buffer States { uint64_t states[]; };  // float, and what it is
layout(binding = 3) coherent buffer Turns { uint turns[3]; };  // tickets taken, workgroups done, launches

const uint SUM = 1, THROUGH = 2;  // of a block; of all up to a block, and with it
const uint PATIENCE = 256;

void tell(uint block, uint launch, uint what, float value) {
  atomicStore(states[block], packUint2x32(uvec2(floatBitsToUint(value), 2 * launch + what)),
              gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

// What a block says in this launch: 0, SUM or THROUGH.
uint what_of(uvec2 state, uint launch) {
  return state.y > 2 * launch ? state.y - 2 * launch : 0;
}

// By a whole subgroup. Nobody says that a block which was begun before goes on while others wait:
// what does not come is added up here.
float sum_of_block(uint block) {
  const uint first = block * (COVERS / 4);
  float sum = 0.0;
  for (uint i = gl_SubgroupInvocationID; i < COVERS / 4; i += gl_SubgroupSize) {
    const vec4 v = a4[first + i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  return subgroupAdd(sum);
}

// What all blocks before this one add up to; `sum` is the block's own. By its first subgroup.
float look_back(uint block, uint launch, float sum) {
  const uint lane = gl_SubgroupInvocationID;
  if (lane == 0) tell(block, launch, block == 0 ? THROUGH : SUM, sum);
  float before = 0.0;
  uint done = block;  // blocks from here on are in `before`
  while (done > 0) {
    // The nearest block first; before the first one nothing is missing.
    uvec2 state = uvec2(0);
    uint what = lane < done ? 0 : THROUGH;
    uvec4 missing = uvec4(0);
    uint known = 0;  // the nearest that knows everything before it
    for (uint turn = 0; turn < PATIENCE; ++turn) {
      if (what == 0) {
        state = unpackUint2x32(atomicLoad(states[done - 1 - lane], gl_ScopeDevice,
                                          gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
        what = what_of(state, launch);
      }
      const uvec4 through = subgroupBallot(what == THROUGH);
      known = through == uvec4(0) ? gl_SubgroupSize - 1 : subgroupBallotFindLSB(through);
      missing = subgroupBallot(what == 0 && lane <= known);
      if (missing == uvec4(0)) break;
    }
    // Up to the first that is missing; that one is added up here.
    const bool stuck = missing != uvec4(0);
    const uint usable = stuck ? subgroupBallotFindLSB(missing) : known + 1;
    before += subgroupAdd(lane < usable && lane < done ? uintBitsToFloat(state.x) : 0.0);
    if (!stuck && subgroupAny(lane == known && what == THROUGH)) break;
    done -= min(done, usable);
    if (stuck && done > 0) {
      before += sum_of_block(done - 1);
      --done;
    }
  }
  if (lane == 0 && block > 0) tell(block, launch, THROUGH, before + sum);
  return before;
}
