//! expect = "clean"
//! title = "a barrier with a fence for images orders those of an array"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img[4];

void main() {
  const ivec2 at = ivec2(gl_LocalInvocationID.xy);
  const uint d = gl_WorkGroupID.x;
  imageStore(img[d], at, uvec4(at.x));
  memoryBarrierImage();
  barrier();
  const uvec4 other = imageLoad(img[d], ivec2(15 - at.x, at.y));
  memoryBarrierImage();
  barrier();
  imageStore(img[d], at, other + 1);
}
