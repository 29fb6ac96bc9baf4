//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];
void put(uint k) { s[k] = k; }
uint got(uint k) { return s[k]; }

void main() {
  const uint i = gl_LocalInvocationIndex;
  put(i);
  barrier();
  data[gl_GlobalInvocationID.x] = got(63 - i);
}
