//! expect = "bounds"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint bins[16];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 16) bins[i] = 0;
  barrier();
  atomicAdd(bins[i / 3], 1); // bounds
  barrier();
  if (i < 16) data[i] = bins[i];
}
