//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint flag;

void main() {
  flag = 7; // tilescope: allow race on flag, all write the same
  barrier();
  data[gl_GlobalInvocationID.x] = flag;
}
