//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 1, binding = 0) readonly buffer Counts { uint count[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint t = 0; t < count[0] + 2; ++t) barrier();
  data[i] = 1;
}
