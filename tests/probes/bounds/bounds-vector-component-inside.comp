//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { vec4 data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  vec4 v = data[gl_WorkGroupID.x * 1024 + i];
  data[gl_WorkGroupID.x * 1024 + i].x = v[i % 4];
}
