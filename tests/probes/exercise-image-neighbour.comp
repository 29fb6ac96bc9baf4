//! expect = "incomplete"
//! title = "races on texels are not followed where each keeps not to its own"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;

void main() {
  const uint i = gl_LocalInvocationIndex;
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  const uvec4 right = imageLoad(img, at + ivec2(1, 0));
  imageStore(img, at, right);
}
