//! expect = "racy"
//! title = "look-back that reads a sum without an acquire"
#version 450
layout(local_size_x = 64) in;
struct Part { uint flag; uint sum; };
layout(std430, binding = 0) readonly buffer In { uint x[]; };
layout(std430, binding = 1) coherent buffer State { uint ticket; Part parts[]; };
layout(std430, binding = 2) writeonly buffer Out { uint y[]; };
shared uint part;
shared uint total;
shared uint before;
void main() {
  uint l = gl_LocalInvocationID.x;
  if (l == 0u) {
    part = atomicAdd(ticket, 1u);
    total = 0u;
  }
  barrier();
  uint i = part * 64u + l;
  atomicAdd(total, x[i]);
  barrier();
  if (l == 0u) {
    uint sum = 0u;
    if (part > 0u) {
      while (atomicAdd(parts[part - 1u].flag, 0u) == 0u) {}
      sum = parts[part - 1u].sum;
    }
    parts[part].sum = sum + total;
    memoryBarrierBuffer();
    atomicExchange(parts[part].flag, 1u);
    before = sum;
  }
  barrier();
  y[i] = before + x[i];
}
