//! expect = "racy"
//! title = "the next turn writes the flag while others read it"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint stop;

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint turn = 0; turn < 8; ++turn) {
    if (i == 0) stop = turn >= 5 ? 1 : 0; // race
    barrier();
    const uint end = stop; // race
    if (end != 0) break;
  }
  data[gl_GlobalInvocationID.x] = i;
}
