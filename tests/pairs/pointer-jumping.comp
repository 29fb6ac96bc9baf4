//! expect = "racy"
//! title = "pointer jumping in place"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer P { uint parents[]; };
#define after parents
void main() {
  uint i = gl_GlobalInvocationID.x;
  after[i] = parents[parents[i]];
}
