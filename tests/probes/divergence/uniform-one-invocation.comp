//! expect = "clean"
//! title = "one invocation waits for nobody"
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  s = data[gl_WorkGroupID.x * 1024 + 0];
  if (gl_GlobalInvocationID.x < data[gl_WorkGroupID.x * 1024 + 1]) barrier();
  data[gl_WorkGroupID.x * 1024 + gl_GlobalInvocationID.x] = s;
}
