//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(std140, set = 0, binding = 0) uniform Weights { vec4 weights[16]; };
layout(set = 0, binding = 1) buffer Target { float target[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  target[gl_GlobalInvocationID.x] = weights[i / 4].x;
}
