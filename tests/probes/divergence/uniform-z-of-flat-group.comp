//! expect = "clean"
//! title = "a workgroup flat in z has one z"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (gl_GlobalInvocationID.z > 0) return;
  s[i] = i;
  barrier();
  data[i] = s[i ^ 1];
}
