// The arithmetic ceiling: 8 independent chains of fused multiply-adds an invocation, 2 flop each.
// Not a variant: lab/ceilings.h runs it.
#version 450
layout(binding = 0) restrict writeonly buffer Out { float result[]; };
layout(push_constant) uniform Loop { uint ROUNDS; float FACTOR; };
layout(local_size_x = 256) in;

void main() {
  const uint id = gl_GlobalInvocationID.x;
  vec4 x = vec4(id, id + 1, id + 2, id + 3) * 1e-6;
  vec4 y = x + 1.0;
  const vec4 factor = vec4(FACTOR);
  for (uint round = 0; round < ROUNDS; ++round) {
    x = fma(x, factor, y);
    y = fma(y, factor, x);
    x = fma(x, factor, y);
    y = fma(y, factor, x);
  }
  const vec4 sum = x + y;
  result[id] = sum.x + sum.y + sum.z + sum.w;
}
