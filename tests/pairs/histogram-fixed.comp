//! expect = "clean"
//! title = "counts with atomics"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) buffer Bins { uint bins[1024]; };
void main() {
  atomicAdd(bins[keys[gl_GlobalInvocationID.x] & 1023u], 1u);
}
