//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(constant_id = 0) const bool CHECKED = false;
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i]; // race
  if (CHECKED) barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[63 - i]; // race
}
