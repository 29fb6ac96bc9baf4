//! expect = "racy"
//! title = "rows that reach into the next"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint width = 37;
  const uint x = gl_LocalInvocationID.x;
  const uint y = gl_WorkGroupID.x;
  if (x < width + 1) {
    data[y * width + x] = 100 * y + x; // race
  }
}
