// The arithmetic ceiling: 4 independent chains of fused multiply-adds an invocation, 2 flop each.
// Not a variant: lab/run/ceilings.h runs it.
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
    // A rotation in small steps: values neither grow nor fade into denormals, which some devices are slow
    // with. Devices with the instruction contract each line; where fma() is a library call it is slower.
    x = y * factor + x;
    y = x * -factor + y;
    x = y * factor + x;
    y = x * -factor + y;
  }
  const vec4 sum = x + y;
  result[id] = sum.x + sum.y + sum.z + sum.w;
}
