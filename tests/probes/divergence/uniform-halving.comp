//! expect = "clean"
//! title = "a barrier in a loop that all leave alike"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint k = 32; k > 0; k /= 2) barrier();
  data[t] = i;
}
