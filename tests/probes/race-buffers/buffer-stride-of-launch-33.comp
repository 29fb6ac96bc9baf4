//! expect = "clean"
//! title = "loops that lanes which are not there must not keep turning"
#version 450
layout(local_size_x = 33) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  for (uint k = gl_GlobalInvocationID.x; k < 500; k += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    for (uint n = 0; n < i % 3; ++n) data[k] += n;
  }
}
