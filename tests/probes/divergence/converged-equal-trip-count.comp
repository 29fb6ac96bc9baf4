//! expect = "clean"
//! title = "all invocations make three iterations, at other sizes they may not"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  const uint end = 64 * gl_NumWorkGroups.x;
  uint sum = 0;
  for (uint k = l; k < end; k += 64) { // condition
    s[l] = k;
    barrier(); // barrier
    sum += s[63 - l];
    barrier(); // barrier
  }
  data[g] = sum;
}
