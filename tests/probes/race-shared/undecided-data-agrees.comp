//! expect = "clean"
//! title = "each looks at an element of its own, and all find the same"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  s[i] = i;
  if (data[gl_WorkGroupID.x * 1024 + gl_GlobalInvocationID.x] < 1000000) {
    barrier();
    data[gl_WorkGroupID.x * 1024 + i] = s[63 - i];
  }
}
