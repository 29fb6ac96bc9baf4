//! expect = "uninitialized"
//! title = "the first invocation alone fills what is its own"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint own[4];
  if (i == 0) {
    for (uint k = 0; k < 4; ++k) own[k] = k;
  }
  data[gl_GlobalInvocationID.x] = own[i % 4]; // uninitialized
}
