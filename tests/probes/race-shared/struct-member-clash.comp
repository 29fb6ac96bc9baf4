//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
struct P { vec2 at; uint id; float w[2]; };
shared P p;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) p.w[0] = 1; // race
  if (i == 2) p.w[data[0]] = 3; // race
  barrier();
  data[64 + gl_GlobalInvocationID.x] = p.id; // uninitialized
}
