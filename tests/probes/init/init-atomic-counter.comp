//! expect = "uninitialized"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint counter;

void main() {
  const uint place = atomicAdd(counter, 1); // uninitialized
  barrier();
  data[gl_GlobalInvocationID.x] = counter + place * 0;
}
