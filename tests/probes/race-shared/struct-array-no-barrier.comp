//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
struct P { vec2 at; uint id; float w[2]; };
shared P ps[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  ps[i].id = i; // race
  data[gl_WorkGroupID.x * 1024 + i] = ps[63 - i].id; // race
}
