//! expect = "incomplete"
//! title = "the read ran, the write that it races with did not"
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint s[64] = {};

void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint t = 0; t < data[0]; ++t)
    s[(i + t) % 64] = i; // not executed
  data[gl_WorkGroupID.x * 1024 + i + 1] = s[63 - i];
}
