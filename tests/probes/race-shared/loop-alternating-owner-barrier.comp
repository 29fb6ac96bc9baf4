//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint t = 0; t < 8; ++t) {
    if (i == t) s = t;
    barrier();
  }
  data[i] = s;
}
