//! expect = "bounds"
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { float scale[8]; };
layout(set = 0, binding = 0) buffer Target { float target[]; };

void main() {
  target[gl_GlobalInvocationID.x] = scale[gl_LocalInvocationID.x / 7]; // bounds
}
