//! expect = "divergent"
//! title = "each invocation leaves the loop at its own iteration; the barrier is behind it"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  for (uint k = 0; k < 64; ++k)
    if (k == l) break;
  s[l] = l;
  if (l < 3) barrier(); // barrier, condition
  data[g] = s[l];
}
