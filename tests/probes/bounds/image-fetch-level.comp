//! expect = "bounds"
//! title = "there is one level"
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform usampler2D from;
layout(set = 0, binding = 1) buffer Data { uint data[]; };

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, textureSize(from, 0)))) return;
  data[gl_GlobalInvocationID.y * 48 + gl_GlobalInvocationID.x] = texelFetch(from, at, 1).x; // bounds
}
