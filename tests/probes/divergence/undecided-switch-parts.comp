//! expect = "divergent"
//! title = "data chooses the case, and not the same for all"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  switch (data[i + 1] / 48) { // condition
    case 0:
      barrier(); // barrier
      break;
    case 1:
      data[i + 100] = 2;
      break;
    default:
      data[i + 200] = 3;
  }
}
