//! expect = "faulty"
//! title = "the second load of a strided loop has no guard"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint x[]; };
layout(std430, binding = 1) buffer Out { uint total; };
layout(push_constant) uniform Size { uint n; };
void main() {
  uint step = gl_NumWorkGroups.x * 64u;
  uint sum = 0u;
  for (uint i = gl_GlobalInvocationID.x; i < n; i += 2u * step) {
    sum += x[i];
    sum += x[i + step];
  }
  atomicAdd(total, sum);
}
