//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  switch (gl_WorkGroupID.x) {
    case 0:
      s[i] = 1;
      barrier();
      break;
    default:
      s[i] = 2;
      barrier();
      break;
  }
  data[gl_GlobalInvocationID.x] = s[63 - i];
}
