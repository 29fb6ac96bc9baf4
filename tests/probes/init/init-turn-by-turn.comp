//! expect = "clean"
//! title = "tiles of 64 of 100 elements: the first turn writes the whole, the second a part"
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
      if (first + i < 100) tile[i] = given[box * 100 + first + i];
      barrier();
      const uint count = min(64, 100 - first);
      for (uint k = 0; k < count; ++k) sum += tile[k];
      barrier();
    }
  }
  data[gl_GlobalInvocationID.x] = sum;
}
