//! expect = "racy"
//! title = "atomics of workgroup scope by several workgroups"
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main() {
  atomicAdd(data[0], 1u, gl_ScopeWorkgroup, 0, 0); // race
}
