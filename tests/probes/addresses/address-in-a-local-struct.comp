//! expect = "incomplete"
//! title = "local structs that hold addresses, one within the other"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Words { uint w[]; };
struct Part {
  Words words;
  uvec2 range;
};
struct Mesh {
  Part parts[2];
  uint chosen;
};
layout(push_constant) uniform Push { Words first; Words second; };
shared uint sum;

void main() {
  const uint i = gl_LocalInvocationID.x;
  Mesh mesh;
  mesh.parts[0] = Part(first, uvec2(0u, 64u));
  mesh.parts[1] = Part(second, uvec2(64u, 64u));
  mesh.chosen = gl_WorkGroupID.x & 1u;
  if (i == 0u) {
    sum = mesh.parts[1].range.x;
  }
  barrier();
  Part part = mesh.parts[mesh.chosen];
  for (uint k = 0u; k < 2u; ++k) {
    part.words.w[(gl_WorkGroupID.x * 2u + k) * part.range.y + i] = sum;
  }
}
