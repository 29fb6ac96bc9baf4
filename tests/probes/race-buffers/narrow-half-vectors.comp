//! expect = "clean"
//! title = "vectors of 16-bit floats that may only be stored and converted"
#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
struct Pair {
  f16vec2 scale;
  uint sum;
};
layout(set = 0, binding = 0) buffer A { f16vec4 a[]; };
layout(set = 0, binding = 1) buffer B { Pair b[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint k = (i * 5 + 3) % 193;
  const vec4 v = vec4(a[k]);
  a[k] = f16vec4(2.0 * v);
  b[k].scale = f16vec2(v.xy);
  b[k].sum = i;
}
