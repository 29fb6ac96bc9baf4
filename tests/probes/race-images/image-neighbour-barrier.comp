//! expect = "clean"
//! title = "a barrier with a fence for images"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  const ivec2 own = ivec2(gl_WorkGroupID.x * 16, 0);
  imageStore(img, at, uvec4(at.x));
  memoryBarrierImage();
  barrier();
  const uvec4 other = imageLoad(img, own + ivec2(15 - gl_LocalInvocationID.x, gl_LocalInvocationID.y));
  memoryBarrierImage();
  barrier();
  imageStore(img, at, other + 1);
}
