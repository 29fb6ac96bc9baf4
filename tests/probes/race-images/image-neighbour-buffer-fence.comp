//! expect = "racy"
//! title = "a fence for buffers orders no image"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  const ivec2 own = ivec2(gl_WorkGroupID.x * 16, 0);
  imageStore(img, at, uvec4(at.x)); // race
  memoryBarrierBuffer();
  barrier();
  const uvec4 mirrored = imageLoad(img, own + ivec2(15 - gl_LocalInvocationID.x, gl_LocalInvocationID.y)); // race
  imageStore(img, at, mirrored); // race
}
