//! expect = "racy"
//! title = "three steps of 3 end at 9, not at 8"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint cells[320];

void main() {
  const uint i = gl_LocalInvocationID.x;
  uint k;
  for (k = 0; k < 8; k += 3)
    cells[k * 32 + i] = k;
  cells[k * 32 + i] = 1; // race
  data[gl_WorkGroupID.x * 1024 + i] = cells[288 + (31 - i)]; // race
}
