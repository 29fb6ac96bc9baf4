//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void sync() {
  barrier(); // barrier
}

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i > 3) sync(); // condition
  data[i] = 1;
}
