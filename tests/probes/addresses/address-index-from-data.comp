//! expect = "bounds"
//! title = "an index that comes from memory, added to what is too much"
//! buffer = "source=147456"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Index { uint at[]; };
layout(buffer_reference, std430) readonly buffer Source { float values[]; };
layout(push_constant) uniform Push { Index index; Source source; };
layout(set = 0, binding = 0) buffer Target { float target[]; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  target[i] = source.values[(index.at[i] & 1023u) + 36800u];  // bounds
}
