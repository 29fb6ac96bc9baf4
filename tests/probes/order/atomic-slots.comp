//! expect = "clean"
//! title = "each slot is handed out once"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint n; shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0) n = 0;
  barrier();
  if (data[gl_WorkGroupID.x * 1024 + i] % 3 == 0) {
    const uint at = atomicAdd(n, 1);
    a[at] = i;
  }
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = i < n ? a[i] : 0;
}
