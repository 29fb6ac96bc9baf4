//! expect = "racy"
//! title = "two write the same member"
#version 450
layout(local_size_x = 64) in;
struct Pair { uint left; uint right; };
layout(set = 0, binding = 0) buffer Data { Pair pairs[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if ((i & 1) == 0) {
    pairs[i / 2].left = i; // race
  } else {
    pairs[i / 2].left = i; // race
  }
}
