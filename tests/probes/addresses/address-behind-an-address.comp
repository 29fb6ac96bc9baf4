//! expect = "bounds"
//! title = "what an address in memory leads to, which is itself behind one"
//! buffer = "node.leaf=147456"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Leaf { uint values[]; };
layout(buffer_reference, std430) readonly buffer Node { uint count; Leaf leaf; };
layout(push_constant) uniform Push { Node node; };
layout(set = 0, binding = 0) buffer Target { uint target[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  target[i] = node.leaf.values[i];
  target[i] += node.leaf.values[i + 36800u];  // bounds
}
