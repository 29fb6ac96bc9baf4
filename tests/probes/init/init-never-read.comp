//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[128];

void main() {
  const uint i = gl_LocalInvocationID.x;
  tile[i] = i;
  barrier();
  uint sum = tile[63 - i];
  if (sum > 1000) sum += tile[64 + i]; // not executed
  data[gl_GlobalInvocationID.x] = sum;
}
