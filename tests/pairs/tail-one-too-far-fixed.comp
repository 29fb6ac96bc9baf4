//! expect = "clean"
//! title = "a guard"
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Data { vec4 data[]; };
layout(std140, binding = 1) uniform Size { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  data[i] *= 2.0;
}
