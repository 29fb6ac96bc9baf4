// What workgroups tell each other within one launch. Each looks back from block to block until one
// knows the sum of everything up to it (Merrill and Garland 2016, "Single-pass Parallel Prefix Scan
// with Decoupled Look-back"). A workgroup takes the next ticket when it starts, so blocks before its
// own were begun before. Nobody says that those go on while others wait: what does not come is added
// up by who waits (Smith, Levien and Owens 2025, "Decoupled Fallback").
//
// What there is of a block is one word of 64 bits, so that it is never seen half written: a float, and
// what it is in which launch.
layout(binding = 2) coherent buffer States { uint64_t states[]; };
layout(binding = 3) coherent buffer Turns { uint turns[3]; };  // tickets taken, workgroups done, launches

const uint SUM = 1, THROUGH = 2;  // of a block; of all up to a block, and with it

shared uint ticket, launch;

// The block that this workgroup does.
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

// A float's bits and what it is; 0: nothing was told in this launch yet.
uvec2 ask(uint block) {
  const uvec2 state = unpackUint2x32(
      atomicLoad(states[block], gl_ScopeDevice, 0, gl_SemanticsRelaxed));
  return uvec2(state.x, state.y > 2 * launch ? state.y - 2 * launch : 0);
}

// The last one to be done makes way for the next launch, to which states of this one say nothing:
// behind all that others read and count in this one, which the counter hands on.
void finish() {
  if (gl_LocalInvocationID.x == 0 &&
      atomicAdd(turns[1], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsAcquireRelease) + 1 == gl_NumWorkGroups.x) {
    turns[0] = 0;
    turns[1] = 0;
    turns[2] = launch + 1;
  }
}
