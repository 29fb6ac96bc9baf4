//! expect = "bounds"
//! title = "indices up to 191 into 64 cells"
//! buffer = "0.1=65536:iota"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[i] = i;
  barrier();
  data[gl_GlobalInvocationID.x] = s[given[gl_GlobalInvocationID.x]]; // bounds
}
