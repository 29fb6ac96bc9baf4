//! expect = "clean"
//! title = "one dimension, each its own texel"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage1D img;

void main() {
  const int at = int(gl_GlobalInvocationID.x);
  imageStore(img, at, imageLoad(img, at) + 1);
}
