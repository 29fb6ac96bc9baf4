//! expect = "bounds"
//! title = "a cube has six faces"
#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimageCube img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(img)))) return;
  imageStore(img, ivec3(at, 6), uvec4(1)); // bounds
}
