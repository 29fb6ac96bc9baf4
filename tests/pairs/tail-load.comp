//! expect = "faulty"
//! title = "the load is outside of the guard"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { float x[]; };
layout(std430, binding = 1) writeonly buffer Out { float y[]; };
layout(push_constant) uniform Size { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float v = 2.0 * x[i];
  if (i < n) y[i] = v;
}
