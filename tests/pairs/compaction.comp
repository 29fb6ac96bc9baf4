//! expect = "racy"
//! title = "places of kept elements without atomics"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint x[]; };
layout(std430, binding = 1) writeonly buffer Out { uint kept[]; };
layout(std430, binding = 2) writeonly buffer Count { uint counts[]; };
shared uint count;
void main() {
  uint l = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * 64u;
  if (l == 0u) count = 0u;
  barrier();
  if (x[first + l] == 0u) {
    uint place = count++;
    kept[first + place] = l;
  }
  barrier();
  if (l == 0u) counts[gl_WorkGroupID.x] = count;
}
