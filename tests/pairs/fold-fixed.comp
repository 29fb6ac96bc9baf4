//! expect = "clean"
//! title = "the second half of a buffer is added to the first"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer D { float data[]; };
layout(push_constant) uniform S { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) data[i] += data[i + n];
}
