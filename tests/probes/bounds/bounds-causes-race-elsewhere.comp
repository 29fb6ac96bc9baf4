//! expect = "bounds"
//! title = "places that were read from an element outside lead to one element of another array"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint place[8];

void main() {
  const uint l = gl_LocalInvocationIndex;
  if ((l & 3u) == 0u) place[l / 4u] = l; // bounds
  barrier();
  data[gl_WorkGroupID.x * 64u + place[l / 4u] + (l & 3u)] = l; // bounds
}
