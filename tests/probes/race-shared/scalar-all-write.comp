//! expect = "racy"
//! title = "all write their own value"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  s = i; // race
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = s;
}
