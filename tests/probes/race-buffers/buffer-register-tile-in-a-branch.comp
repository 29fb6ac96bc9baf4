//! expect = "clean"
//! title = "loops in what only some invocations do"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  if (i % 2 == 0) {
    for (uint a = 0; a < 8; ++a) data[t * 4 + a] = t;
  }
}
