//! expect = "uninitialized"
//! title = "the third component of a vector is never written"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  uvec3 at;
  at.xy = uvec2(data[i * 4], data[i * 4 + 1]);
  const uvec3 twice = at * 2u; // uninitialized
  data[i * 4] = twice.x + twice.y + twice.z;
}
