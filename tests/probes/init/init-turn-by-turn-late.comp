//! expect = "uninitialized"
//! title = "the second turn writes the whole, the first a part"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Given { uint given[]; };
layout(set = 0, binding = 1) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint sum = 0;
  for (uint box = 0; box < 3; ++box) {
    for (uint first = 0; first < 100; first += 64) {
      if (first + 36 > i) tile[i] = given[box * 100 + first + i];
      barrier();
      for (uint k = 0; k < 64; ++k) sum += tile[k]; // uninitialized
      barrier();
    }
  }
  data[gl_GlobalInvocationID.x] = sum;
}
