//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec3 a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = vec3(i); // race
  data[gl_WorkGroupID.x * 1024 + i] = uint(a[63 - i].y); // race
}
