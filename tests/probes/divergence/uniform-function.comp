//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint n; uint m; };


void sync(uint x) {
  if (x > 3) barrier();
}

void main() {
  const uint i = gl_LocalInvocationID.x;
  sync(m);
  data[i] = 1;
}
