//! expect = "racy"
//! title = "atomics, and a plain write beside them"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  if (gl_GlobalInvocationID.x == 70) {
    data[0] = 0; // race
  }
  atomicAdd(data[0], 1); // race
}
