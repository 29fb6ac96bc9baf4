//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint n; uint m; };


void main() {
  const uint i = gl_LocalInvocationID.x;
  if (n > 3) barrier();
  data[i] = 1;
}
