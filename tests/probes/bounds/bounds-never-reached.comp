//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  tile[i] = i;
  if (tile[i] == 1000) data[i + 1000000] = 1;
  data[i] = tile[i];
}
