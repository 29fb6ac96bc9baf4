//! expect = "racy"
//! title = "the sum is written back before all have read"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  s[i] = i;
  barrier();
  const uint sum = s[(i + 63) % 64] + // race
      s[(i + 1) % 64]; // race
  s[i] = sum; // race
  data[gl_GlobalInvocationID.x] = sum;
}
