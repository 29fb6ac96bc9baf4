//! expect = "faulty"
//! title = "coordinates are clamped to the size, one too far"
//! set = "w=64"
//! set = "h=64"
//! buffer = "0.0=16384"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer S { float src[]; };
layout(binding = 1) writeonly buffer D { float dst[]; };
layout(push_constant) uniform PC { int w; int h; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= w || p.y >= h) return;
  float acc = 0.0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      int x = clamp(p.x + dx, 0, w);
      int y = clamp(p.y + dy, 0, h);
      acc += src[y * w + x];
    }
  dst[p.y * w + p.x] = acc / 25.0;
}
