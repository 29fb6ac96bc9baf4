//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint t = gl_GlobalInvocationID.x;
  if (t < given.length() && t < data.length()) data[t] = given[t];
}
