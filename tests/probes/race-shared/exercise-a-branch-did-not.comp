//! expect = "clean"
//! title = "one of two writes ran: clean, and the other is named"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationID.x;
  s[i] = i;
  barrier();
  if (data[0] > 7)
    s[i / 2] = 0; // not executed
  barrier();
  data[i + 100] = s[63 - i];
}
