//! expect = "clean"
//! title = "an atomic counter gives everybody a slot"
//! zero = "0.0"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint slot = atomicAdd(data[0], 1);
  data[1 + slot] = gl_GlobalInvocationID.x;
}
