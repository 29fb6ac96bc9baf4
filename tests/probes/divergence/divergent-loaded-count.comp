//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint n = data[i] % 4;
  for (uint t = 0; t < n; ++t) { // condition
    barrier(); // barrier
  }
  data[i] = 1;
}
