//! expect = "divergent"
//! title = "the counter differs behind the loop"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  uint k = 0;
  for (; k < 64; ++k)
    if (k == l) break;
  s[l] = l;
  if (k < 3) barrier(); // barrier, condition
  data[g] = s[l];
}
