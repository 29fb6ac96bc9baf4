//! expect = "clean"
//! title = "a scatter whose targets do not meet"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[(i * 5 + 3) % 193] = i;
}
