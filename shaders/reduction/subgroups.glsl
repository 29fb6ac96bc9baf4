// The end of a kernel whose subgroups add in registers.
shared float tile[BLOCK / 4];  // one sum per subgroup, of at least 4 invocations
shared uint done_before;       // number of workgroups that arrived before this one

// Returns the sum of the values of all invocations, in each of them.
float sum_of_workgroup(float mine) {
  const float sum = subgroupAdd(mine);
  if (gl_NumSubgroups == 1) return sum;
  if (subgroupElect()) tile[gl_SubgroupID] = sum;
  barrier();
  float all = 0.0;
  for (uint s = gl_SubgroupInvocationID; s < gl_NumSubgroups; s += gl_SubgroupSize) all += tile[s];
  return subgroupAdd(all);
}

void hand_in(float mine) {
  const uint local = gl_LocalInvocationID.x;
  const float sum = sum_of_workgroup(mine);
  if (local == 0) partial[gl_WorkGroupID.x] = sum;
  memoryBarrierBuffer();
  if (local == 0) done_before = atomicAdd(arrived[0], 1);
  barrier();
  if (done_before + 1 < gl_NumWorkGroups.x) return;

  memoryBarrierBuffer();
  float rest = 0.0;
  for (uint first = local; first < gl_NumWorkGroups.x; first += 8 * BLOCK) {
    [[unroll]] for (uint i = 0; i < 8; ++i) {  // eight loads at a time
      const uint g = first + i * BLOCK;
      rest += g < gl_NumWorkGroups.x ? partial[g] : 0.0;
    }
  }
  const float all = sum_of_workgroup(rest);
  if (local == 0) {
    sum_of_all = all;
    arrived[0] = 0;
  }
}
