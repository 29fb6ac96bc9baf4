//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Table { uint head; uint table[48]; uint rest[]; };

void main() {
  const uint i = gl_LocalInvocationID.x;
  rest[i] = table[i % 48];
}
