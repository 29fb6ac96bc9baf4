//! expect = "racy"
//! title = "two views of one buffer"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 0) buffer Vectors { uvec4 vectors[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[i] = i; // race
  vectors[64 + i / 4] = uvec4(i); // race
  if (i == 0) data[400] = vectors[0].y; // race
}
