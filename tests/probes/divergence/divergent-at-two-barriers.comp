//! expect = "divergent"
//! title = "behind one divergent barrier there is another; a third one all reach"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;
  s[l] = l;
  if (l < 8) { // condition
    barrier(); // barrier
    s[l] = l + 1;
    barrier(); // barrier
  }
  if (l < 64 + gl_WorkGroupID.x) barrier();
  data[g] = s[l];
}
