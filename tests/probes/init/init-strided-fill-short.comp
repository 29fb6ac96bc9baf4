//! expect = "uninitialized"
//! title = "the last quarter is not filled"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[256];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint t = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 3; ++k) tile[i + 64 * k] = k;
  barrier();
  data[t] = tile[i * 4]; // uninitialized
}
