//! expect = "clean"
//! title = "three arrays of n elements each, one behind the other in a buffer"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer P { float pos[]; };
layout(std430, binding = 1) writeonly buffer O { float o[]; };
layout(push_constant) uniform S { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  o[i] = pos[i] + pos[i + n] + pos[i + 2u * n];
}
