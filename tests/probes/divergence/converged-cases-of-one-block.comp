//! expect = "clean"
//! title = "the cases of a switch differ, and lead to the same block"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint l = gl_LocalInvocationIndex;
  s[l] = l;
  switch ((data[gl_GlobalInvocationID.x] + l) % 2) { // condition
    case 0:
    case 1:
      barrier(); // barrier
      break;
    default:
      s[0] = 1; // not executed
      break;
  }
  data[gl_GlobalInvocationID.x] = s[63 - l];
}
