//! expect = "uninitialized"
//! title = "one component written, the other read"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec2 a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i].x = float(i);
  data[gl_GlobalInvocationID.x] = uint(a[63 - i].y); // uninitialized
}
