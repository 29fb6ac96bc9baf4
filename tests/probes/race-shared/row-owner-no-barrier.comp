//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint t[64][8];

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = 0; k < 8; ++k) t[i][k] = data[gl_WorkGroupID.x * 1024 + i * 8 + k]; // race
  uint sum = 0;
  for (uint k = 0; k < 8; ++k) sum += t[k][i % 8]; // race
  data[gl_WorkGroupID.x * 1024 + 768 + i] = sum;
}
