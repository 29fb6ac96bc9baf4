//! expect = "racy"
//! title = "what stands before the loop's test runs once more than what stands behind it"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[96];

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = 0;; ++k) {
    cells[i + 32 * k] = k; // race
    if (k >= 2) break;
  }
  data[gl_WorkGroupID.x * 1024 + i] = cells[64 + (i + 1) % 32]; // race
}
