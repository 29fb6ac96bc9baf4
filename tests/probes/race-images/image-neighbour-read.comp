//! expect = "racy"
//! title = "the texel to the right is read while its invocation writes it"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (at.x + 1 >= imageSize(img).x) return;
  const uvec4 right = imageLoad(img, at + ivec2(1, 0)); // race
  imageStore(img, at, right); // race
}
