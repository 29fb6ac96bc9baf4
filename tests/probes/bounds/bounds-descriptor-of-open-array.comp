//! expect = "bounds"
//! title = "more buffers than are bound to an open array"
//! buffer = "0.0[0]=1024:zero"
//! buffer = "0.0[1]=1024:zero"
//! buffer = "0.0[2]=1024:zero"
//! buffer = "0.0[3]=1024:zero"
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Parts { uint v[]; } parts[];

void main() {
  const uint i = gl_LocalInvocationIndex;
  parts[gl_WorkGroupID.x * 2].v[i] = i; // bounds
}
