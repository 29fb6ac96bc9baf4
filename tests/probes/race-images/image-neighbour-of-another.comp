//! expect = "clean"
//! title = "read from one image, written to another"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D from;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage2D to;

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  const ivec2 last = imageSize(from) - 1;
  imageStore(to, at, imageLoad(from, min(at + ivec2(1, 0), last)));
}
