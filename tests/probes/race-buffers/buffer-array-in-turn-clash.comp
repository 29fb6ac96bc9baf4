//! expect = "racy"
//! title = "every buffer of an array in turn, all workgroups in one place of each"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[4];

void main() {
  for (uint d = 0; d < 4; ++d) {
    parts[d].v[gl_LocalInvocationIndex] = gl_WorkGroupID.x; // race
  }
}
