//! expect = "divergent"
//! title = "a barrier among those that still add"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  tile[i] = i;
  barrier();
  for (uint k = 32; k > 0; k /= 2) {
    if (i < k) { // condition
      tile[i] += tile[i + k];
      barrier(); // barrier
    }
  }
  data[t] = i;
}
