//! expect = "clean"
//! title = "8 invocations along z, each in a subgroup of its own on llvmpipe"
//! zero = "0.0"
#version 450
layout(local_size_x = 1, local_size_z = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[8];

void main() {
  const uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x * 8 + l;
  s[l] = l;
  if (g < data.length()) { // condition
    barrier(); // barrier
    uint sum = 0;
    for (uint i = 0; i < 3; ++i) {
      sum += s[(l + i) % 8];
    }
    data[g] = sum;
  }
}
