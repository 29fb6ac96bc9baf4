//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared bool flag;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) flag = data[gl_WorkGroupID.x * 1024 + 0] == 0;
  barrier();
  if (flag) data[gl_WorkGroupID.x * 1024 + i] = 1;
}
