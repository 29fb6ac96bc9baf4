//! expect = "clean"
//! title = "a list that all workgroups append to"
//! zero = "0.0"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };
layout(set = 0, binding = 0) buffer List { uint count; uint more[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (given[gl_GlobalInvocationID.x] % 3 == 0) more[atomicAdd(count, 1)] = i;
}
