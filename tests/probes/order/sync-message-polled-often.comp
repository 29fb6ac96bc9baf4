//! expect = "clean"
//! title = "one subgroup counts a hundred times, the others wait at the barrier; the last workgroup adds up"
//! zero = "0.0"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Count { uint done; uint count[64]; };
layout(set = 0, binding = 1) buffer Data { uint data[]; };
shared uint s;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i < 8) {
    uint seen = 0;
    for (uint turn = 0; turn < 100; ++turn) seen = atomicAdd(count[i], 1);
    if (i == 0) s = seen;
  }
  barrier();
  if (i == 20) {
    data[1 + gl_WorkGroupID.x] = s;
    if (atomicAdd(done, 1, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                  gl_SemanticsAcquireRelease) == 2) {
      data[0] = data[1] + data[2] + data[3];
    }
  }
}
