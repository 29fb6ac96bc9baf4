//! expect = "clean"
//! title = "four words at a time"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uvec4 data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[i] = uvec4(i) + data[i];
}
