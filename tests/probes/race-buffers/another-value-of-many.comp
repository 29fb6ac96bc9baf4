//! expect = "racy"
//! title = "one of many workgroups at once writes another value"
//! groups = 512
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  data[gl_LocalInvocationID.x / 8] = gl_WorkGroupID.x == 300 ? 2 : 1;  // race
}
