//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
struct P { vec2 at; uint id; float w[2]; };
shared P p;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) p.id = 1;
  if (i == 1) p.at = vec2(1);
  if (i == 2) p.w[0] = 1;
  if (i == 3) p.w[1] = 1;
  barrier();
  data[i] = p.id;
}
