//! expect = "clean"
//! title = "the number of workgroups is an atomic maximum"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer V { uint visible[]; };
layout(std430, binding = 1) buffer Args { uint group_count_x; uint group_count_y; uint group_count_z; uint draw_count; };
layout(push_constant) uniform PC { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n && visible[i] != 0u) {
    uint c = atomicAdd(draw_count, 1u);
    atomicMax(group_count_x, (c + 64u) / 64u);
  }
}
