//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec4 a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = vec4(data[gl_WorkGroupID.x * 1024 + i]); // race
  vec4 sum = vec4(0);
  for (uint k = 0; k < 64; ++k) sum += a[k]; // race
  data[gl_WorkGroupID.x * 1024 + i] = uint(sum.x);
}
