//! expect = "bounds"
//! title = "indices outside that meet in the last element are no races of their own"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[32];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = l; // bounds
  barrier();
  data[gl_GlobalInvocationID.x] = s[l & 31u];
}
