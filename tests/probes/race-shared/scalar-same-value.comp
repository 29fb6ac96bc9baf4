//! expect = "note"
//! title = "all write the same value"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationID.x;
  s = 7; // race
  barrier();
  data[i] = s;
}
