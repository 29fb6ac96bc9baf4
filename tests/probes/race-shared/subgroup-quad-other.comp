//! expect = "racy"
//! title = "the next quad's read is not ordered"
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared float s[68];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = float(l);
  if (l < 4u) s[64u + l] = 0.0;
  barrier();
  float v = s[l]; // race
  v += subgroupQuadSwapHorizontal(v);
  v += subgroupQuadSwapVertical(v);
  if ((l & 3u) == 0u) s[l + 4u] = v; // race
  barrier();
  data[gl_GlobalInvocationID.x] = s[l | 1u];
}
