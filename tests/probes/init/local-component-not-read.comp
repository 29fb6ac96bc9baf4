//! expect = "clean"
//! title = "a vector is doubled, and only its written components are stored"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  vec3 at;
  at.xy = vec2(data[i * 4], data[i * 4 + 1]);
  const vec3 twice = at * 2.0;
  data[i * 4] = twice.x + twice.y;
}
