//! expect = "divergent"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint n[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  n[i] = i;
  barrier();
  if (n[i ^ 1] == 3) // condition
    barrier(); // barrier
  data[gl_GlobalInvocationID.x] = n[i];
}
