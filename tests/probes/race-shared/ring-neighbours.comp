//! expect = "clean"
//! title = "a cell's two neighbours, read between two barriers"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[i] = i;
  barrier();
  const uint sum = s[(i + 63) % 64] + s[(i + 1) % 64];
  barrier();
  s[i] = sum;
  data[gl_GlobalInvocationID.x] = s[i];
}
