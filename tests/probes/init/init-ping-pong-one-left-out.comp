//! expect = "uninitialized"
//! title = "a part of the half that a turn reads was not written by the turn before it"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint half_of[2][64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint now = 0;
  half_of[now][i] = i;
  barrier();
  for (uint n = 1; n < 64; n *= 2) {
    const uint read = half_of[now][i ^ n]; // uninitialized
    if (i != n) half_of[1 - now][i] = read;
    now = 1 - now;
    barrier();
  }
  data[gl_GlobalInvocationID.x] = half_of[now][i];
}
