//! expect = "clean"
//! title = "a quad's first invocation writes what all four have read"
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared float s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = float(l);
  barrier();
  float v = s[l];
  v += subgroupQuadSwapHorizontal(v);
  v += subgroupQuadSwapVertical(v);
  if ((l & 3u) == 0u) s[l + 1u] = v;
  barrier();
  data[gl_GlobalInvocationID.x] = s[l | 1u];
}
