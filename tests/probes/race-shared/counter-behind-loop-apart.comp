//! expect = "clean"
//! title = "the row behind the loop is not one of those that the loop wrote"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint rows[4][64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint row;
  for (row = 0; row < 3; ++row)
    rows[row][i] = row;
  rows[row][63 - i] = 9;
  barrier();
  data[i] = rows[3][i ^ 1] + rows[0][i ^ 1];
}
