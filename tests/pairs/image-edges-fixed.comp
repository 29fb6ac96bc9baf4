//! expect = "clean"
//! title = "texels are stored inside"
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform readonly image2D before;
layout(binding = 1, rgba8) uniform writeonly image2D after;
layout(push_constant) uniform Size { ivec2 size; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec4 v = vec4(0.0);
  if (p.x < size.x && p.y < size.y) v = imageLoad(before, p);
  if (p.x < size.x && p.y < size.y) imageStore(after, p, v.bgra);
}
