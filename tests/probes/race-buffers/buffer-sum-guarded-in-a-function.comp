//! expect = "racy"
//! title = "two functions compute the same sum, and one of them has the guard"
//! buffer = "0.0=4096:zero"
//! buffer = "0.1=4096:zero"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer O { uint o[]; };

void put(uint row, uint column, uint value) {
  x[row * 16u + (gl_WorkGroupID.y + column)] = value; // race
}

void get(uint row, uint column) {
  if (column < 16u)
    o[row * 16u + (gl_WorkGroupID.y + column)] = 1u + row;
}

void main() {
  const uint column = gl_LocalInvocationID.x;
  get(gl_WorkGroupID.x, column);
  put(gl_WorkGroupID.x, column, gl_WorkGroupID.x);
}
