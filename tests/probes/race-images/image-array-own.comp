//! expect = "clean"
//! title = "each workgroup has an image of an array"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img[4];

void main() {
  imageStore(img[gl_WorkGroupID.x], ivec2(gl_LocalInvocationID.xy), uvec4(1));
}
