//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[128];

void main() {
  const uint i = gl_LocalInvocationID.x;
  tile[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  data[gl_WorkGroupID.x * 1024 + 512 + i] = tile[i + 1]; // uninitialized
}
