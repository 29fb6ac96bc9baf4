//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec4 a[16];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i / 4][i % 4] = float(i); // race
  data[gl_WorkGroupID.x * 1024 + i] = uint(dot(a[i / 4], vec4(1))); // race
}
