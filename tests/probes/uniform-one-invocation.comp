//! expect = "clean"
//! title = "one invocation waits for nobody"
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  s = data[0];
  if (gl_GlobalInvocationID.x < data[1]) barrier();
  data[gl_GlobalInvocationID.x] = s;
}
