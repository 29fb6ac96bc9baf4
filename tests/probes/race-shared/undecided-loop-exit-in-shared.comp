//! expect = "clean"
//! title = "a shared flag tells all to stop; what wrote it is behind a barrier in each turn"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint left;

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint turns = 0;
  for (;;) {
    if (i == 0) left = 5 - turns;
    barrier();
    const uint now = left;
    barrier();
    if (now == 0) break;
    ++turns;
    barrier();
  }
  data[i] = turns;
}
