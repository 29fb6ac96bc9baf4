//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (gl_GlobalInvocationID.x >= data[100]) return; // condition
  barrier(); // barrier
  data[i] = 1;
}
