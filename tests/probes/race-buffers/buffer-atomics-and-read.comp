//! expect = "racy"
//! title = "atomics, and a plain read beside them"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  atomicAdd(data[0], 1); // race
  data[1 + gl_GlobalInvocationID.x] = data[0]; // race
}
