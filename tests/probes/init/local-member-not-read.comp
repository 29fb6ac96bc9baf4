//! expect = "clean"
//! title = "a function sets one of two members, and the other is read only if it is set"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

struct Hit {
  float distance;
  uint triangle;
};

Hit nearest(uint i) {
  Hit hit;
  hit.distance = data[i * 4];
  if (i % 2 == 0) {
    hit.triangle = i;
  }
  return hit;
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const Hit hit = nearest(i);
  Hit copy = hit;
  data[i * 4 + 1] = i % 2 == 0 ? float(copy.triangle) : -1.0;
}
