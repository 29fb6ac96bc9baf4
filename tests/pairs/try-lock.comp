//! expect = "racy"
//! title = "a lock that each invocation tries again, without fences"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent buffer L { uint lock; };
layout(std430, binding = 1) coherent buffer B { float bounds[2]; };
layout(std430, binding = 2) readonly buffer X { float x[]; };
void main() {
  float v = x[gl_GlobalInvocationID.x];
  bool keep = true;
  while (keep) {
    if (atomicCompSwap(lock, 0u, 1u) == 0u) {
      bounds[0] = min(bounds[0], v);
      bounds[1] = max(bounds[1], v);
      atomicExchange(lock, 0u);
      keep = false;
    }
  }
}
