//! expect = "racy"
//! title = "two invocations write different values"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 3) s = 1; // race
  if (i == 5) s = 2; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = s;
}
