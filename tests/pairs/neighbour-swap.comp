//! expect = "racy"
//! title = "neighbours are swapped from both sides"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer V { uint values[]; };
layout(push_constant) uniform PC { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i + 1u >= n) return;
  uint a = values[i], b = values[i + 1u];
  if (a > b) { values[i] = b; values[i + 1u] = a; }
}
