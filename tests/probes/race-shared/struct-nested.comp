//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
struct P { vec2 at; uint id; float w[2]; };
struct O { float pad; P inner[2]; };
shared O o;

void main() {
  const uint i = gl_LocalInvocationID.x;
  o.inner[i % 2].id = i; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = o.inner[0].id;
}
