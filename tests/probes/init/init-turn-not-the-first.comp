//! expect = "uninitialized"
//! title = "the tile would be whole in a first turn that neither writes it nor comes to the barrier's end"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint sum = 0;
  for (uint turn = 0; turn < 3; ++turn) {
    if (turn > 0) {
      if (i >= 32 * turn) tile[i] = i;
      barrier();
      sum += tile[63 - i]; // uninitialized
      barrier();
    }
  }
  data[gl_GlobalInvocationID.x] = sum;
}
