//! expect = "clean"
//! title = "a width that subgroups do not divide"
#version 450
layout(local_size_x = 33) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[33];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[i] = i;
  barrier();
  for (uint step = 16; step > 0; step /= 2) {
    if (i < step) s[i] += s[i + step];
    barrier();
  }
  if (i == 0) data[gl_WorkGroupID.x] = s[0] + s[32];
}
