//! expect = "racy"
//! title = "64 tickets for 32 places: whoever draws which, each place is two invocations'"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint count;
shared uint s[32];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) count = 0;
  barrier();
  const uint mine = atomicAdd(count, 1);
  s[mine % 32] = i; // race
  barrier();
  data[gl_GlobalInvocationID.x] = s[i % 32];
}
