//! expect = "racy"
//! title = "writes that are equal in the first round, and differ in the next"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a;

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = 0; k < 3; ++k) {
    a = i * k; // race
    barrier();
  }
  data[gl_WorkGroupID.x * 1024 + i] = a;
}
