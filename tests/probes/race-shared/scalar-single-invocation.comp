//! expect = "clean"
//! title = "a workgroup of one invocation races with nobody"
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  s = 1; s += data[gl_WorkGroupID.x * 1024 + 0];
  data[gl_WorkGroupID.x * 1024 + i] = s;
}
