//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
struct P { vec2 at; uint id; float w[2]; };
shared P ps[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  ps[i].id = i;
  data[gl_GlobalInvocationID.x] = uint(ps[63 - i].at.y); // uninitialized
}
