//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = 0;
  atomicAdd(a[i], 1);
  data[gl_WorkGroupID.x * 1024 + i] = a[i];
}
