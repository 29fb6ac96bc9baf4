//! expect = "note"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint flag;

void main() {
  /* tilescope: allow race on other */ flag = 7; // race
  barrier();
  data[gl_GlobalInvocationID.x] = flag;
}
