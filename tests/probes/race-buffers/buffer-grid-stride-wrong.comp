//! expect = "racy"
//! title = "in steps of a workgroup, by all workgroups"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  for (uint i = gl_GlobalInvocationID.x; i < 1000; i += gl_WorkGroupSize.x) {
    data[i] = gl_WorkGroupID.x; // race
  }
}
