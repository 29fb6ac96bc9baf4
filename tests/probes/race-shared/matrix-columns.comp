//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared mat4 m;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 4) m[i] = vec4(i);
  barrier();
  data[i] = uint(m[i % 4][0]);
}
