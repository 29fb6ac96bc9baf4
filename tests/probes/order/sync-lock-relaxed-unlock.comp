//! expect = "racy"
//! title = "a lock that is opened without releasing"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint lock;
shared uint count;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    lock = 0;
    count = 0;
  }
  barrier();
  bool done = false;
  for (uint turn = 0; turn < 1000 && !done; ++turn) {
    if (atomicCompSwap(lock, 0u, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire, 0, 0) == 0) {
      count = count + 1; // race
      atomicStore(lock, 0u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
      done = true;
    }
  }
  barrier();
  if (i == 0) data[gl_WorkGroupID.x] = count;
}
