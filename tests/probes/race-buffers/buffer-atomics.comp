//! expect = "clean"
//! title = "atomics of all workgroups on one word"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() { atomicAdd(data[0], gl_LocalInvocationID.x); }
