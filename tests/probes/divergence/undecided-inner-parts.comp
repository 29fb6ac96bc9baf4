//! expect = "divergent"
//! title = "the outer condition holds for all, the inner one for some"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (data[2] == 2) {
    if (data[i + 70] < 100) // condition
      barrier(); // barrier
    data[1024 + gl_GlobalInvocationID.x] = 1;
  }
}
