//! expect = "clean"
//! title = "workgroups write the same values to the same words"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  data[gl_LocalInvocationID.x] = gl_LocalInvocationID.x;
}
