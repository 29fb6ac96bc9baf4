//! expect = "racy"
// A struct is read whole, and its member once more: two accesses of one line. What others have not
// written yet may be any bits: nothing is computed of it in floats.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
struct P { vec2 at; uint id; float w[2]; };
shared P ps[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  P x;
  x.at = vec2(i); x.id = i; x.w[0] = 1; x.w[1] = 2;
  ps[i] = x; // race
  P z = ps[63 - i]; float w = ps[63 - i].w[0]; // race
  data[gl_WorkGroupID.x * 1024 + i] = z.id + floatBitsToUint(z.at.x) + floatBitsToUint(z.at.y) +
                                      floatBitsToUint(z.w[0]) + floatBitsToUint(z.w[1]) +
                                      floatBitsToUint(w);
}
