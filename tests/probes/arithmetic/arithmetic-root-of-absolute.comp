//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  data[gl_GlobalInvocationID.x] = sqrt(abs(3.0 - float(i)));
}
