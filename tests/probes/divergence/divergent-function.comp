//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void sync(uint x) {
  if (x > 3) { // condition
    barrier(); // barrier
  }
}

void main() {
  const uint i = gl_LocalInvocationID.x;
  sync(i);
  data[i] = 1;
}
