//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared mat4 m;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 8) m[i % 4] = vec4(i); // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = uint(m[i % 4][0]);
}
