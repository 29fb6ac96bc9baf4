//! expect = "clean"
#version 450
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(constant_id = 7) const uint SIZE = 32;
layout(local_size_x_id = 7) in;
shared uint a[SIZE];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[gl_WorkGroupSize.x - 1 - i];
}
