//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint n;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) n = 0;
  barrier();
  if (atomicAdd(n, 1) == 63) // condition, race
    barrier(); // barrier
  data[i] = n; // race
}
