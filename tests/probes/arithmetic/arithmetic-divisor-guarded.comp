//! expect = "clean"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { int data[]; };

void main() {
  const int i = int(gl_GlobalInvocationID.x);
  const int by = data[i] - 17;
  data[i] = by != 0 ? 100 / by : 0;
}
