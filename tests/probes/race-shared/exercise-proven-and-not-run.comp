//! expect = "incomplete"
//! title = "proven, whatever happens; but nothing happened"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  if (data[0] > 7) {
    s[i] = i; // not executed
    data[i] = s[i]; // not executed
  }
}
