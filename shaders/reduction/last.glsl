// The end of a kernel with a tree in shared memory: `tile` holds BLOCK sums.
shared uint done_before;  // number of workgroups that arrived before this one

// `sum` is the sum of the workgroup, in its first invocation.
void hand_in(float sum) {
  const uint local = gl_LocalInvocationID.x;
  if (local == 0) partial[gl_WorkGroupID.x] = sum;
  memoryBarrierBuffer();
  if (local == 0) done_before = atomicAdd(arrived[0], 1);
  barrier();
  if (done_before + 1 < gl_NumWorkGroups.x) return;

  memoryBarrierBuffer();
  float rest = 0.0;
  for (uint g = local; g < gl_NumWorkGroups.x; g += BLOCK) rest += partial[g];
  tile[local] = rest;
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (local < stride) tile[local] += tile[local + stride];
    barrier();
  }
  if (local == 0) {
    sum_of_all = tile[0];
    arrived[0] = 0;
  }
}
