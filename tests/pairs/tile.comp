//! expect = "racy"
//! title = "the store forgets that columns may end inside of a tile"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Sizes { uint M; uint N; uint K; };
shared float ta[8][8];
shared float tb[8][8];
void main() {
  uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
  uint row = gl_GlobalInvocationID.y, column = gl_GlobalInvocationID.x;
  float sum = 0.0;
  for (uint t = 0u; t < (K + 7u) / 8u; ++t) {
    uint k = t * 8u;
    ta[y][x] = row < M && k + x < K ? a[row * K + k + x] : 0.0;
    tb[y][x] = k + y < K && column < N ? b[(k + y) * N + column] : 0.0;
    barrier();
    for (uint i = 0u; i < 8u; ++i) sum += ta[y][i] * tb[i][x];
    barrier();
  }
  if (row < M) c[row * N + column] = sum;
}
