//! expect = "clean"
//! title = "from 1 to 640 in steps of 64: ten iterations of each, whatever the launch"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  uint sum = 0;
  for (uint k = l + 1; k <= 640; k += 64) {
    s[l] = k;
    barrier();
    sum += s[63 - l];
    barrier();
  }
  data[g] = sum;
}
