//! expect = "racy"
//! title = "the barrier after the read is missing"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint t = 0; t < 4; ++t) {
    if (i == 0) s = t; // race
    barrier();
    data[gl_WorkGroupID.x * 1024 + i] += s; // race
  }
}
