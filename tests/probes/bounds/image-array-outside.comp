//! expect = "bounds"
//! title = "inside the largest image of an array, outside of the one that is chosen"
//! buffer = "0.0[0]=64x4:r32ui:iota"
//! buffer = "0.0[1]=16x4:r32ui:iota"
//! buffer = "0.0[2]=8x4:r32ui:iota"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img[4];

void main() {
  const ivec2 at = ivec2(gl_LocalInvocationID.xy);
  imageStore(img[gl_WorkGroupID.x], at, uvec4(1)); // bounds
}
