//! expect = "clean"
//! title = "a dot product needs the values of all four"
#version 450
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
shared float s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = float(l);
  barrier();
  const float v = s[l ^ 1u];
  const vec4 all = vec4(subgroupQuadBroadcast(v, 0), subgroupQuadBroadcast(v, 1),
                        subgroupQuadBroadcast(v, 2), subgroupQuadBroadcast(v, 3));
  s[l] = dot(all, vec4(1.0));
  barrier();
  data[gl_GlobalInvocationID.x] = s[l];
}
