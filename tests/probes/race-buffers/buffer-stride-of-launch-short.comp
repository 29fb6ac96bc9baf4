//! expect = "racy"
//! title = "rows of 33 that are 32 apart"
#version 450
layout(local_size_x = 33) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint k = gl_GlobalInvocationID.x; k < 500; k += gl_NumWorkGroups.x * 32) {
    data[k] = i + k; // race
  }
}
