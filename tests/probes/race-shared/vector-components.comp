//! expect = "clean"
//! title = "three invocations write different components"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared vec4 v;

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) v.x = 1;
  if (i == 1) v.y = 2;
  if (i == 2) v.zw = vec2(3, 4);
  barrier();
  data[i] = uint(v.x + v.y + v.z + v.w);
}
