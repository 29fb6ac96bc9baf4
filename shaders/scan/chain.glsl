// How workgroups hand on sums within one launch. Each looks back, block by block, until one knows the
// sum of everything up to it (Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back"). A workgroup takes the next ticket when it starts, so blocks before its own
// were begun before; but nobody says that those go on while others wait: what does not come is added
// up here (Smith, Levien and Owens 2025, "Decoupled Fallback").
layout(binding = 2) coherent buffer Sums { float sums[]; };        // of a block
layout(binding = 3) coherent buffer Through { float through[]; };  // of all up to a block, and with it
layout(binding = 4) coherent buffer Known { uint known[]; };       // what there is of a block
layout(binding = 5) coherent buffer Turns { uint turns[2]; };      // tickets taken, workgroups done

const uint SUM = 1, THROUGH = 2;
const uint PATIENCE = 64;

shared uint ticket;
shared float sum_before;

// The block that this workgroup does.
uint take_block() {
  if (gl_LocalInvocationID.x == 0) ticket = atomicAdd(turns[0], 1);
  barrier();
  return ticket;
}

float sum_of_block(uint block) {
  const uint first = block * COVERS;
  float sum = 0.0;
  for (uint i = 0; i < COVERS; i += 8) {
    [[unroll]] for (uint u = 0; u < 8; ++u) sum += a[first + i + u];
  }
  return sum;
}

// What all blocks before this one add up to; `sum` is the block's own, in the first invocation.
float take_over(uint block, float sum) {
  if (gl_LocalInvocationID.x == 0) {
    sums[block] = sum;
    memoryBarrierBuffer();
    atomicExchange(known[block], SUM);
    float before = 0.0;
    uint state = 0;
    for (uint b = block; b > 0 && state != THROUGH; --b) {
      state = 0;
      for (uint i = 0; i < PATIENCE && state == 0; ++i) state = atomicOr(known[b - 1], 0);
      memoryBarrierBuffer();
      if (state == 0) {
        before += sum_of_block(b - 1);
      } else {
        before += state == SUM ? sums[b - 1] : through[b - 1];
      }
    }
    through[block] = before + sum;
    memoryBarrierBuffer();
    atomicExchange(known[block], THROUGH);
    sum_before = before;
  }
  barrier();
  return sum_before;
}

// The last one to be done leaves everything as it was at the start.
void finish() {
  if (gl_LocalInvocationID.x == 0) ticket = atomicAdd(turns[1], 1);
  barrier();
  if (ticket + 1 < gl_NumWorkGroups.x) return;
  for (uint g = gl_LocalInvocationID.x; g < gl_NumWorkGroups.x; g += gl_WorkGroupSize.x) {
    known[g] = 0;
  }
  if (gl_LocalInvocationID.x < 2) turns[gl_LocalInvocationID.x] = 0;
}
