//! expect = "racy"
//! title = "texels of two buffers by one sum, and a guard in front of one of them"
//! buffer = "0.0=256:r32ui:zero"
//! buffer = "0.1=256:r32ui:zero"
#version 450
layout(local_size_x = 20) in;
layout(set = 0, binding = 0, r32ui) uniform uimageBuffer b;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer c;

void main() {
  const uint x = gl_LocalInvocationID.x;
  const uint row = gl_WorkGroupID.x;
  const uint first = gl_WorkGroupID.y;
  if (x < 16u)
    imageStore(b, int(row * 16u + (first + x)), uvec4(row));
  imageStore(c, int(row * 16u + (first + x)), uvec4(row)); // race
}
