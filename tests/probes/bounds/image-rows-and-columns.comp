//! expect = "bounds"
//! title = "the coordinates are swapped: more columns than rows"
//! buffer = "0.0=48x4:r32ui:iota"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(img, at.yx, uvec4(1)); // bounds
}
