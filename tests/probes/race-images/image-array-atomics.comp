//! expect = "clean"
//! title = "atomics on the images of an array"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img[4];

void main() {
  imageAtomicAdd(img[gl_WorkGroupID.x & 1], ivec2(0, gl_LocalInvocationID.y), 1u);
}
