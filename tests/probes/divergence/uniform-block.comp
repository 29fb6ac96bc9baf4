//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) uniform Settings { float limit; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (limit > 2.0) barrier();
  data[i] = 1;
}
