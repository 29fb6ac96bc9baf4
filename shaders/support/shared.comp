// The shared memory ceiling: 4 independent reads of 16 bytes an invocation and round. Neighbours read
// neighbouring cells, which are in different banks. The sums are compared with what they must be.
// Not a variant: lab/run/ceilings.h runs it.
#version 450
layout(binding = 0) restrict writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Loop { uint ROUNDS; uint FACTOR; };
layout(local_size_x = 256) in;

shared vec4 cells[1024];  // 16 KiB: as much as every Vulkan device has

uint total(const vec4 v) { return uint(v.x) + uint(v.y) + uint(v.z) + uint(v.w); }

void main() {
  const uint local = gl_LocalInvocationID.x;
  for (uint i = local; i < 1024; i += 256) cells[i] = vec4((uvec4(0, 1, 2, 3) + 4 * i) * FACTOR & 7u);
  barrier();

  vec4 a = vec4(0.0), b = vec4(0.0), c = vec4(0.0), d = vec4(0.0);  // small whole numbers: exact
  for (uint round = 0; round < ROUNDS; ++round) {
    const uint at = (local + round) & 255;
    a += cells[at];
    b += cells[at + 256];
    c += cells[at + 512];
    d += cells[at + 768];
  }
  result[gl_GlobalInvocationID.x] = total(a) + total(b) + total(c) + total(d);
}
