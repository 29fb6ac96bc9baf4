//! expect = "clean"
//! title = "relaxed atomics with fences around them"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint flag;
shared uint message;

void main() {
  const uint i = gl_LocalInvocationIndex;
  if (i == 0) flag = 0;
  barrier();
  if (i == 0) {
    message = 42;
    memoryBarrierShared();
    atomicStore(flag, 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
  }
  if (i == 32) {
    for (uint turn = 0; turn < 10000; ++turn) {
      if (atomicLoad(flag, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) == 1) {
        memoryBarrierShared();
        data[gl_WorkGroupID.x] = message;
        break;
      }
    }
  }
}
