//! expect = "clean"
//! title = "a histogram of texels"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform readonly uimage2D picture;
layout(std430, binding = 1) buffer Bins { uint bins[4096]; };
void main() {
  uint v = imageLoad(picture, ivec2(gl_GlobalInvocationID.xy)).x;
  atomicAdd(bins[v & 4095u], 1u);
}
