//! expect = "clean"
// Components are written one after the other: none is read before.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

float height(vec3 p) {
  float sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    sum += p.x * p.y;
    p.x *= 2.0;
  }
  return p.z - sum;
}

vec3 slope(vec3 p, float by) {
  vec3 n;
  n.y = height(p);
  n.x = height(vec3(p.x + by, p.y, p.z)) - n.y;
  n.z = height(vec3(p.x, p.y, p.z + by)) - n.y;
  n.y = by;
  return normalize(n);
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  data[i] = slope(vec3(float(i), 2.0, 3.0), 0.5).x;
}
