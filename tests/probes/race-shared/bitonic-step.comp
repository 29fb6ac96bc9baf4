//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint a[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  for (uint n = 2; n <= 64; n *= 2) {
    for (uint m = n / 2; m > 0; m /= 2) {
      const uint j = i ^ m;
      if (j > i && (a[i] > a[j]) == ((i & n) == 0)) {
        const uint x = a[i];
        a[i] = a[j];
        a[j] = x;
      }
      barrier();
    }
  }
  data[gl_WorkGroupID.x * 1024 + i] = a[i];
}
