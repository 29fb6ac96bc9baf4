//! expect = "racy"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D img;
layout(set = 0, binding = 1) buffer Data { uint data[]; };
shared uint s[64];

void main() {
  const uint i = gl_LocalInvocationIndex;
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  s[i] = imageLoad(img, at).x; // race
  data[gl_WorkGroupID.x * 64 + i] = s[63 - i]; // race
}
