//! expect = "uninitialized"
//! title = "an exchange whose result is used reads what was there"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint bins[64];

void main() {
  const uint t = gl_LocalInvocationID.x;
  data[gl_GlobalInvocationID.x] = atomicExchange(bins[t], 0u); // uninitialized
}
