//! expect = "racy"
//! title = "one dimension, the next one is read"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage1D img;

void main() {
  const int at = int(gl_GlobalInvocationID.x);
  const uvec4 next = imageLoad(img, (at + 1) % imageSize(img)); // race
  imageStore(img, at, next); // race
}
