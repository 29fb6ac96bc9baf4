//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  tile[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  uint sum = 0;
  for (uint k = 0; k <= 64; ++k) {
    if (k == 64) break;
    sum += tile[k];
  }
  data[gl_WorkGroupID.x * 1024 + 512 + i] = sum;
}
