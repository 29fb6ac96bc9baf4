//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared bool flag;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 9) flag = true; // race
  if (flag) data[i] = 1; // race
}
