//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint tile[128];

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = i; k < 128; k += 64) tile[k] = k;
  barrier();
  data[gl_GlobalInvocationID.x] = tile[i + 1];
}
