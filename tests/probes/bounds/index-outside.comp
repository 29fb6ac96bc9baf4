//! expect = "bounds"
//! buffer = "0.0=4096:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i + data[i]] = 1; // bounds
}
