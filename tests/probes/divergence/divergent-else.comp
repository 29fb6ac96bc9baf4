//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (data[i] == 3) { // condition, race
    data[i] = 1; // race
  } else {
    barrier(); // barrier
  }
}
