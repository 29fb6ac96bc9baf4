//! expect = "racy"
//! title = "invocations of one column of a volume write one texel"
#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage3D img;

void main() {
  const ivec3 at = ivec3(gl_GlobalInvocationID);
  imageStore(img, ivec3(at.xy, 0), uvec4(at.z)); // race
}
