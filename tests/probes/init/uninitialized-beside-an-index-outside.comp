//! expect = "bounds"
//! title = "a read of shared memory that no invocation wrote, and a write whose index is outside"
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Answer { uint answer[]; };
layout(push_constant) uniform Push { uint n; };
shared uint cells[2][8];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint before = atomicMax(cells[1][5], n); // uninitialized
  cells[i * 3][i] = n; // bounds
  answer[gl_GlobalInvocationID.x] = before;
}
