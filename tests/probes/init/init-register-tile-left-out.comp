//! expect = "uninitialized"
//! title = "a register tile of which one turn fills nothing"
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
vec4 sums[4][2];

void main() {
  const uint i = gl_LocalInvocationIndex;
  [[unroll]] for (uint row = 0; row < 4; ++row) {
    if (row == 2) continue;
    [[unroll]] for (uint column = 0; column < 2; ++column) sums[row][column] = vec4(0.0);
  }
  for (uint row = 0; row < 4; ++row) {
    const vec4 here = sums[row][i % 2]; // uninitialized
    data[gl_GlobalInvocationID.x * 4 + row] = here.x < 0.0 ? 1.0 : 2.0;
  }
}
