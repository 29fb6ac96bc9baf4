//! expect = "clean"
//! title = "three dimensions, each its own texel"
#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage3D img;

void main() {
  const ivec3 at = ivec3(gl_GlobalInvocationID);
  imageStore(img, at, uvec4(at.x));
}
