//! expect = "clean"
//! title = "pointer jumping into another buffer"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer P { uint parents[]; };
layout(std430, binding = 1) writeonly buffer Q { uint after[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  after[i] = parents[parents[i]];
}
