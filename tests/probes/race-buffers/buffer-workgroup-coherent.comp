//! expect = "clean"
//! title = "in the Vulkan memory model a barrier orders accesses that are coherent in the workgroup"
#version 450
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) workgroupcoherent buffer Parts { uint part[]; };
layout(set = 0, binding = 1) buffer Data { uint data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  const uint base = gl_WorkGroupID.x * 64;
  part[base + i] = i;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  data[base + i] = part[base + 63 - i];
}
