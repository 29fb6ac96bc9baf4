//! expect = "clean"
//! title = "a sum begins at zero"
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  vec4 light = vec4(0.0);
  for (uint k = 0; k < 4; ++k) {
    light += vec4(data[i * 4 + k]);
  }
  data[i * 4] = dot(light, vec4(1.0));
}
