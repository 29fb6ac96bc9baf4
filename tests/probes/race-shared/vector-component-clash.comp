//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec4 v;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) v.xy = vec2(1, 2); // race
  if (i == 1) v.yz = vec2(2.5, 3); // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = uint(v.x);
}
