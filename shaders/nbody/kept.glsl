// Bodies that invocations keep in registers, and what pulls them: what is the same for a kernel
// whose workgroups take all bodies in, and one where each takes a slice of them.
#include "bindings.glsl"

layout(constant_id = 0) const uint BLOCK = 128;  // bodies a workgroup
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint SHARES = 4;
layout(constant_id = 3) const uint UNROLL = 32;
layout(constant_id = 4) const uint TILE = 1024;  // bodies that shared memory holds
layout(local_size_x_id = 1) in;

// The workgroup's bodies are kept SHARES times: each time by other invocations, which are pulled by
// a share of all bodies, every SHARES-th. So a workgroup has few bodies, and a launch enough
// workgroups to spread evenly over the device.
const uint KEEPERS = INVOCATIONS / SHARES;
const uint OWN = BLOCK / KEEPERS;  // bodies an invocation keeps

shared vec4 tile[TILE];

uint self;    // this invocation
uint keeper;  // of its share's invocations
uint share;
vec3 here[OWN];
vec3 acceleration[OWN];

uint place(uint i) { return keeper + i * KEEPERS; }  // in the block, of what it keeps

void keep(uint first_body) {
  self = gl_LocalInvocationID.x;
  keeper = self % KEEPERS;
  share = self / KEEPERS;
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    const uint body = first_body + place(i);
    here[i] = body < BODIES ? position[body].xyz : vec3(0.0);
    acceleration[i] = vec3(0.0);
  }
}

// By the bodies of the tiles that begin at `from`, and before `to`. The inner loop always goes through
// a whole tile: where it has to count, it is 5% slower.
void pull_by(uint from, uint to) {
  for (uint first = from; first < to; first += TILE) {
    // Beyond the last body a tile holds masses of zero, which pull nothing.
    [[unroll]] for (uint k = self; k < TILE; k += INVOCATIONS) {
      tile[k] = first + k < BODIES ? position[first + k] : vec4(0.0);
    }
    barrier();

    [[dont_unroll]] for (uint k = share; k < TILE; k += UNROLL * SHARES) {
      [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
        const vec4 other = tile[k + u * SHARES];
        [[unroll]] for (uint i = 0; i < OWN; ++i) {
          acceleration[i] += pull(here[i], other);
        }
      }
    }
    barrier();
  }
}

// The first share's invocations have the sums afterwards.
void add_shares() {
  [[unroll]] for (uint i = 0; i < OWN; ++i) {
    if (SHARES > 1) {
      tile[self] = vec4(acceleration[i], 0.0);
      barrier();
      for (uint s = 1; s < SHARES && share == 0; ++s) {
        acceleration[i] += tile[s * KEEPERS + keeper].xyz;
      }
      barrier();
    }
  }
}
