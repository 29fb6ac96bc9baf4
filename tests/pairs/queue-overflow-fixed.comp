//! expect = "clean"
//! title = "the counter is compared with the length of the queue"
//! groups = 4
//! buffer = "0.2=256"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint state[]; };
layout(std430, binding = 1) buffer Count { uint count; };
layout(std430, binding = 2) writeonly buffer Queue { uint queue[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint at = atomicAdd(count, 1u);
  if (at < uint(queue.length())) queue[at] = i + state[i];
}
