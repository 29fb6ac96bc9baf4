//! expect = "arithmetic"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { vec2 data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const float x = float(i) - 5.0;
  data[i] = vec2(x, sqrt(x)); // arithmetic
}
