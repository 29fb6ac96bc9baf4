//! expect = "racy"
//! title = "barrier() alone orders no image"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  const ivec2 own = ivec2(gl_WorkGroupID.x * 16, 0);
  const ivec2 other = own + ivec2(15 - gl_LocalInvocationID.x, gl_LocalInvocationID.y);
  imageStore(img, at, uvec4(at.x)); // race
  barrier();
  const uvec4 mirrored = imageLoad(img, other); // race
  if (mirrored.x == 1000000) imageAtomicAdd(img, ivec2(0), 0);
}
