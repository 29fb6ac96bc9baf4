//! expect = "racy"
//! title = "a plain read beside atomics"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageAtomicAdd(img, at / 2, 1); // race
  if (imageLoad(img, at).x == 1000000) return; // race
}
