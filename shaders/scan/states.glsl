// States of blocks, which workgroups exchange within one launch. Each looks back until a block
// knows the sum of everything up to it (Merrill and Garland 2016, "Single-pass Parallel Prefix Scan
// with Decoupled Look-back"). A workgroup takes the next ticket when it starts, so blocks before its
// own were started before. It is not guaranteed that these continue while others wait. If a state does
// not arrive, the waiting workgroup adds the block itself (Smith, Levien and Owens 2025, "Decoupled Fallback").
//
// The state of a block is one word of 64 bits, which is read and written at once: a float, and
// its meaning together with the number of the launch.
layout(binding = 2) coherent buffer States { uint64_t states[]; };
layout(binding = 3) coherent buffer Turns { uint turns[3]; };  // tickets taken, workgroups done, launches

const uint SUM = 1, THROUGH = 2;  // sum of a block; sum of all blocks up to it, itself included

shared uint ticket, launch;

// Returns the number of the block of this workgroup.
uint take_block() {
  if (gl_LocalInvocationID.x == 0) {
    launch = turns[2];
    ticket = atomicAdd(turns[0], 1);
  }
  barrier();
  return ticket;
}

void tell(uint block, uint what, float value) {
  atomicStore(states[block], packUint2x32(uvec2(floatBitsToUint(value), 2 * launch + what)),
              gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}

// Returns the bits of the float and its meaning; 0 if nothing was written in this launch yet.
uvec2 ask(uint block) {
  const uvec2 state = unpackUint2x32(
      atomicLoad(states[block], gl_ScopeDevice, 0, gl_SemanticsRelaxed));
  return uvec2(state.x, state.y > 2 * launch ? state.y - 2 * launch : 0);
}

// The last workgroup to finish resets the counters and increases the launch number, which makes the
// states of this launch invalid. Its atomic orders this after all reads of the other workgroups.
void finish() {
  if (gl_LocalInvocationID.x == 0 &&
      atomicAdd(turns[1], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsAcquireRelease) + 1 == gl_NumWorkGroups.x) {
    turns[0] = 0;
    turns[1] = 0;
    turns[2] = launch + 1;
  }
}
