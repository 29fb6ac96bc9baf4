//! expect = "clean"
//! title = "guarded by the size of the image"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  const ivec2 to = at * 2;
  if (any(greaterThanEqual(to, imageSize(img)))) return;
  imageStore(img, to, uvec4(1));
}
