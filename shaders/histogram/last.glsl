// The end of a kernel, after the workgroup has added its counts to `totals`.
shared uint done_before;  // number of workgroups that arrived before this one

void hand_in() {
  memoryBarrierBuffer();
  barrier();
  if (gl_LocalInvocationID.x == 0) done_before = atomicAdd(arrived, 1);
  barrier();
  if (done_before + 1 < gl_NumWorkGroups.x) return;
  memoryBarrierBuffer();
  for (uint bin = gl_LocalInvocationID.x; bin < BINS; bin += gl_WorkGroupSize.x) {
    counts[bin] = totals[bin];
    totals[bin] = 0;
  }
  if (gl_LocalInvocationID.x == 0) arrived = 0;
}
