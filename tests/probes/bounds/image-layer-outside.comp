//! expect = "bounds"
//! title = "a layer more than there are"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2DArray img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(img, ivec3(at, imageSize(img).z), uvec4(1)); // bounds
}
