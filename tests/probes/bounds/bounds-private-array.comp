//! expect = "bounds"
//! buffer = "0.0=65536:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint bins[8];
  for (uint k = 0; k < 8; ++k) bins[k] = k * i;
  data[gl_WorkGroupID.x * 1024 + i] = bins[data[gl_WorkGroupID.x * 1024 + i] % 9 + (i == 5 ? 8u : 0u)]; // bounds
}
