//! expect = "divergent"
//! title = "from 1 to 639 in steps of 64: the last invocation makes nine iterations"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  uint sum = 0;
  for (uint k = l + 1; k < 640; k += 64) { // condition
    s[l] = k;
    barrier(); // barrier
    sum += s[l];
  }
  data[g] = sum;
}
