//! expect = "note"
//! title = "the texel to the left of the first column"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D img;
layout(set = 0, binding = 1) buffer Data { uint data[]; };

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  data[gl_GlobalInvocationID.y * 48 + gl_GlobalInvocationID.x] = imageLoad(img, at - ivec2(1, 0)).x; // bounds
}
