//! expect = "clean"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push { uint rows; uint columns; };
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint row = gl_GlobalInvocationID.y;
  const uint column = gl_GlobalInvocationID.x;
  const uint at = row * 7 + column;
  if (row >= 5 || column >= 7) return;
  data[at] = float(at);
}
