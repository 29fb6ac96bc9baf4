//! expect = "clean"
//! title = "values of equal keys are counted by atomics"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer K { uint keys[]; };
layout(std430, binding = 1) buffer T { uint slots[1024]; };
layout(std430, binding = 2) buffer V { uint values[1024]; };
layout(push_constant) uniform PC { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  uint key = keys[i] + 1u;
  uint h = (key * 2654435769u) >> 22;
  for (uint probe = 0u; probe < 1024u; ++probe) {
    uint old = atomicCompSwap(slots[h], 0u, key);
    if (old == 0u || old == key) {
      atomicAdd(values[h], 1u);
      break;
    }
    h = (h + 1u) & 1023u;
  }
}
