//! expect = "bounds"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { float data[35]; };

void main() {
  const uint row = gl_GlobalInvocationID.y;
  const uint column = gl_GlobalInvocationID.x;
  if (row >= 7 || column >= 5) return;
  data[row * 7 + column] = 1.0; // bounds
}
