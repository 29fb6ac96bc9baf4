//! expect = "clean"
//! title = "an exchange whose result is not used is a store"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint bins[64];

void main() {
  const uint t = gl_LocalInvocationID.x;
  atomicExchange(bins[t], 0u);
  barrier();
  atomicAdd(bins[(t * 7u) & 63u], 1u);
  barrier();
  data[gl_GlobalInvocationID.x] = bins[t];
}
