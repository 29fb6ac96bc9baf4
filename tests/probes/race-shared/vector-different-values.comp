//! expect = "racy"
//! title = "two vectors of round numbers are not one value"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec2 v;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 3) v = vec2(1.0); // race
  if (i == 5) v = vec2(4.0); // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = uint(v.x);
}
