//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(constant_id = 1) const uint STEP = 2;
const uint OFF = STEP - 2;
shared uint a[64 * STEP];

void main() {
  const uint i = gl_LocalInvocationID.x;
  a[i * STEP] = data[gl_WorkGroupID.x * 1024 + i];
  barrier();
  data[gl_WorkGroupID.x * 1024 + i] = a[(63 - i) * STEP + OFF];
}
