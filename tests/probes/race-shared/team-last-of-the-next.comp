//! expect = "racy"
//! title = "the last one reads a row of the next team"
//! zero = "0.2"
//! groups = 4
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) coherent buffer Parts { uint part[]; };
layout(set = 0, binding = 2) coherent buffer Arrived { uint arrived[]; };
shared uint before;

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint team = gl_WorkGroupID.x / 2;
  const uint first = team * 2;
  part[gl_WorkGroupID.x * 64 + i] = i + gl_WorkGroupID.x; // race
  memoryBarrierBuffer();
  barrier();
  if (i == 0) before = atomicAdd(arrived[team], 1);
  barrier();
  if (before + 1 < 2) return;
  memoryBarrierBuffer();
  if (i == 0) arrived[team] = 0;
  uint sum = 0;
  for (uint s = 0; s < 2; ++s) sum += part[(first + s + 1) * 64 + i]; // race
  data[team * 64 + i] = sum;
}
