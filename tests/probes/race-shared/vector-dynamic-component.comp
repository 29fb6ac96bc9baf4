//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec4 v;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 4) v[i] = float(i);
  barrier();
  data[i] = uint(v.x + v.w);
}
