//! expect = "faulty"
//! title = "a prefix sum whose tail is not set"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint x[]; };
layout(std430, binding = 1) writeonly buffer Out { uint y[]; };
layout(std430, binding = 2) writeonly buffer Sums { uint sums[]; };
layout(push_constant) uniform Size { uint n; };
shared uint s[64];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  if (i < n) s[l] = x[i];
  barrier();
  for (uint d = 1u; d < 64u; d *= 2u) {
    uint v = l >= d ? s[l - d] : 0u;
    barrier();
    s[l] += v;
    barrier();
  }
  if (i < n) y[i] = s[l];
  if (l == 63u) sums[gl_WorkGroupID.x] = s[63];
}
