//! expect = "racy"
//! title = "of a vector with the values of all four, only the own one is stored"
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared float s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = float(l);
  barrier();
  const float v = s[l ^ 1u]; // race
  const vec4 all = vec4(v, subgroupQuadSwapHorizontal(v), subgroupQuadSwapVertical(v),
                        subgroupQuadSwapDiagonal(v));
  s[l] = (all * 2.0).x; // race
  barrier();
  data[gl_GlobalInvocationID.x] = s[l];
}
