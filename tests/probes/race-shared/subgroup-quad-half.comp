//! expect = "racy"
//! title = "a swap in one direction orders two of a quad, not four"
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared float s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = float(l);
  barrier();
  float v = s[l]; // race
  v += subgroupQuadSwapHorizontal(v);
  if ((l & 3u) == 0u) s[l + 2u] = v; // race
  barrier();
  data[gl_GlobalInvocationID.x] = s[l | 1u];
}
