//! expect = "clean"
//! title = "the faces of a cube are its layers"
#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimageCube img;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(img)))) return;
  for (int face = 0; face < 6; ++face) imageStore(img, ivec3(at, face), uvec4(face));
}
