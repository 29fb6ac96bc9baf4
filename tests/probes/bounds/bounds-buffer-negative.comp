//! expect = "bounds"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { float source[]; };
layout(set = 0, binding = 1) buffer Target { float target[]; };

void main() {
  const int i = int(gl_GlobalInvocationID.x);
  target[i] = source[i] - source[i - 1]; // bounds
}
