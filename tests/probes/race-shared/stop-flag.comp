//! expect = "clean"
//! title = "a flag that ends a loop, read before it is written again"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint stop;
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint turn = 0; turn < 8; ++turn) {
    if (i == 0) stop = turn >= 5 ? 1 : 0;
    barrier();
    const uint end = stop;
    barrier();
    if (end != 0) break;
    s[i] = turn;
  }
  data[gl_GlobalInvocationID.x] = s[i];
}
