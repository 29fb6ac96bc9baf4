//! expect = "clean"
//! title = "a list whose end is no address"
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 64) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) readonly buffer Node { uint value; Node next; };
layout(push_constant) uniform Push { Node head; };
layout(set = 0, binding = 0) buffer Target { uint target[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  Node node = head;
  uint sum = 0u;
  for (uint n = 0u; n < 4u && uvec2(node) != uvec2(0u); ++n) {
    sum += node.value;
    node = node.next;
  }
  target[i] = sum;
}
