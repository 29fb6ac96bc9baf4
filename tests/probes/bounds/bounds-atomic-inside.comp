//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint bins[16];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 16) bins[i] = 0;
  barrier();
  atomicAdd(bins[i / 4], 1);
  barrier();
  if (i < 16) data[16 * gl_WorkGroupID.x + i] = bins[i];
}
