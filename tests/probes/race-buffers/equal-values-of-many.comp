//! expect = "clean"
//! title = "many workgroups at once write one value: none is taken for another"
//! groups = 512
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  data[gl_LocalInvocationID.x / 8] = 1;
}
