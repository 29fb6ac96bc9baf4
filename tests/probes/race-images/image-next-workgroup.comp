//! expect = "racy"
//! title = "a barrier orders no other workgroup"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(img, at, uvec4(at.x)); // race
  memoryBarrierImage();
  barrier();
  const ivec2 next = ivec2((at.x + 16) % 48, at.y);
  if (imageLoad(img, next).x == 1000000) return; // race
}
