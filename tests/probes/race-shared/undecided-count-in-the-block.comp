//! expect = "clean"
//! title = "the count lies in the block that is written: what it is only the run tells, and there all agree"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint count; uint rest[3]; uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint sum = 0;
  for (uint t = 0; t < (count & 3) + 2; ++t) {
    s[i] = t;
    barrier();
    sum += s[63 - i];
    barrier();
  }
  data[gl_GlobalInvocationID.x] = sum;
}
