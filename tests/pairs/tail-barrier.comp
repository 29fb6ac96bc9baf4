//! expect = "warning"
//! title = "invocations past the end leave before a barrier"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { float x[]; };
layout(std430, binding = 1) writeonly buffer Out { float y[]; };
layout(push_constant) uniform Size { uint n; };
shared float s[64];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  if (i >= n) return;
  s[l] = x[i];
  barrier();
  y[i] = s[l ^ 1u];
}
