//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint t[8][8];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i < 8) for (uint k = 0; k < 8; ++k) t[i][k] = k; // race
  else if (i < 16) for (uint k = 0; k < 8; ++k) t[k][i - 8] = i; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = t[i / 8][i % 8];
}
