//! expect = "racy"
//! title = "workgroups store different vectors of 16-bit floats in one place"
#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { f16vec4 a[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  a[i * i % 97] = f16vec4(vec4(i)); // race
}
