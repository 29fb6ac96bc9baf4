//! expect = "clean"
//! title = "eight blocks of 4 invocations: an eighth of the block's number is the workgroup's"
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint n; };
shared uint s[32];

void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint block = gl_WorkGroupID.x * 8 + i / 4;
  if ((block >> 3) >= n) return;
  s[i] = i;
  barrier();
  data[i] = s[31 - i];
}
