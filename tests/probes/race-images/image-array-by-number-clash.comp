//! expect = "racy"
//! title = "an image of an array by its number, and the neighbour"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img[4];

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(img[1], at, imageLoad(img[1], ivec2(at.x, 3 - at.y))); // race
}
