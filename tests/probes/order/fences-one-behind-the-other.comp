//! expect = "clean"
//! title = "fences for other memory stand between the fence that acquires and the read"
#version 450
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
    memoryBarrierBuffer();
    atomicExchange(flag, 1u);
  }
  if (i == 32) {
    for (uint turn = 0; turn < 10000; ++turn) {
      if (atomicAdd(flag, 0u) == 1u) {
        memoryBarrierShared();
        memoryBarrierBuffer();
        data[gl_WorkGroupID.x] = message;
        break;
      }
    }
  }
}
