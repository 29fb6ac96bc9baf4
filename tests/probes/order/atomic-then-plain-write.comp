//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint n;

void main() {
  const uint i = gl_LocalInvocationID.x;
  atomicMax(n, i); // race
  if (i == 5) n = 3; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = n;
}
