//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
struct Part { uint first; vec2 second; };
layout(set = 0, binding = 0) buffer Data { Part data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  data[gl_GlobalInvocationID.x].first = i;
  data[gl_GlobalInvocationID.x].second = vec2(1.0);
}
