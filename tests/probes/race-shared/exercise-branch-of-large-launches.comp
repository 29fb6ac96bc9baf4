//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[i] = i;
  if (gl_NumWorkGroups.x > 100)
    s[(i + 1) % 64] = 3; // not executed
  barrier();
  data[gl_GlobalInvocationID.x] = s[63 - i];
}
