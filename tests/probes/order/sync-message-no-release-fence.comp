//! expect = "racy"
//! title = "an acquiring fence, and none that releases"
// The flag is read by an exchange that changes nothing: a relaxed load may be taken out of its loop.
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint flag;
shared uint message;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    flag = 0;
    message = 0;
  }
  barrier();
  if (i == 0) {
    message = 42; // race
    atomicStore(flag, 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
  }
  if (i == 32) {
    for (uint turn = 0; turn < 60000; ++turn) {
      if (atomicCompSwap(flag, 1u, 1u, gl_ScopeWorkgroup, 0, 0, 0, 0) == 1) {
        memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire);
        data[gl_WorkGroupID.x] = message; // race
        break;
      }
    }
  }
}
