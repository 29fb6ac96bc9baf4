//! expect = "racy"
//! title = "behind its loop a counter is one step further than it ever was inside"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint rows[4][64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint row, sum = 0;
  for (row = 0; row < 3; ++row)
    sum += data[gl_WorkGroupID.x * 1024 + 512 + row];
  rows[row][i] = sum; // race
  data[gl_WorkGroupID.x * 1024 + i] = rows[3][i ^ 1]; // race
}
