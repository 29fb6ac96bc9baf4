//! expect = "racy"
//! title = "subgroups pass different numbers of fences, but no barrier"
//! groups = 2
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent buffer S { uint slots[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
shared uint total[64];
void main() {
  uint t = gl_LocalInvocationID.x;
  uint s = 0u;
  for (uint k = 0u; k < t / 8u; ++k) {
    s += slots[gl_WorkGroupID.x * 64u + t];
    slots[gl_WorkGroupID.x * 64u + t] = s + k;
    memoryBarrierBuffer();
  }
  total[t] = s;
  y[gl_GlobalInvocationID.x] = total[63u - t];
}
