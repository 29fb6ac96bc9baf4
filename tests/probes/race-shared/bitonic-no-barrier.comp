//! expect = "racy"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  for (uint m = 32; m > 0; m /= 2) {
    const uint j = i ^ m;
    if (j > i) {
      const uint x = a[i]; // race
      a[i] = a[j]; // race
      a[j] = x; // race
    }
  }
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[i];
}
