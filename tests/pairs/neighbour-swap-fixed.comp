//! expect = "clean"
//! title = "each pair of neighbours is swapped once"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer V { uint values[]; };
layout(push_constant) uniform PC { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i + 1u >= n || (i & 1u) == 1u) return;
  uint a = values[i], b = values[i + 1u];
  if (a > b) { values[i] = b; values[i + 1u] = a; }
}
