//! expect = "racy"
//! title = "the load of a tile is guarded, the store is not: columns 16 and 17 are the next row's"
//! buffer = "0.0=4096:iota"
//! buffer = "0.1=4096:zero"
#version 450
layout(local_size_x = 18, local_size_y = 18) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer O { uint o[]; };
shared uint tile[18][18];

void main() {
  const uint column = gl_LocalInvocationID.x;
  const uint row = gl_LocalInvocationID.y;
  const uint first = gl_WorkGroupID.y;
  if (gl_WorkGroupID.x != 0u)
    return;
  tile[row][column] = 0u;
  if (column < 16u)
    tile[row][column] = x[row * 16u + (first + column)];
  barrier();
  o[row * 16u + (first + column)] = tile[row][column] + column + 100u * row; // race
}
