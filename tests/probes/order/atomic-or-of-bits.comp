//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint bits[2];

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i < 2) bits[i] = 0;
  barrier();
  atomicOr(bits[i / 32], 1u << (i % 32));
  barrier();
  data[gl_GlobalInvocationID.x] = bits[i / 32];
}
