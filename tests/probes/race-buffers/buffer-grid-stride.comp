//! expect = "clean"
//! title = "a loop over the whole buffer in steps of the launch"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer From { uint from[]; };

void main() {
  const uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_GlobalInvocationID.x; i < 1000; i += step) data[i] = from[i] + i;
}
