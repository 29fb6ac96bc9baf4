//! expect = "uninitialized"
//! title = "a loop that is tested behind its body stops one row too early"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationIndex;
  uint last = 3;
  uint k = 0;
  do {
    tile[last * 64 + i] = k;
    --last;
    ++k;
  } while (k < 3);
  barrier();
  data[gl_GlobalInvocationID.x] = tile[(i * 37) % 256]; // uninitialized
}
