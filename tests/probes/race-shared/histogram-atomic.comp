//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[4];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 4) a[i] = 0;
  barrier();
  atomicAdd(a[data[gl_WorkGroupID.x * 1024 + i] % 4], 1);
  barrier();
  if (i < 4) data[gl_WorkGroupID.x * 1024 + i] = a[i];
}
