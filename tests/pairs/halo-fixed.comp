//! expect = "clean"
//! title = "a stencil in place, in a grid with a border of one cell"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer G { float g[]; };
layout(push_constant) uniform S { uint W; uint H; uint colour; };
void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  if (x >= W || y >= H || ((x + y) & 1u) != (colour & 1u)) return;
  uint p = W + 2u;
  uint c = (y + 1u) * p + x + 1u;
  g[c] = 0.25 * (g[c - 1u] + g[c + 1u] + g[c - p] + g[c + p]);
}
