//! expect = "uninitialized"
// The third component is read before it is written.
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
  n.x = height(vec3(p.x + by, p.y, p.z)) - n.z; // uninitialized
  n.z = height(vec3(p.x, p.y, p.z + by)) - n.y;
  n.y = by;
  return normalize(n);
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  // What lies there may be no number: it is compared, and not stored.
  data[i] = slope(vec3(float(i), 2.0, 3.0), 0.5).x < 0.0 ? 1.0 : 2.0;
}
