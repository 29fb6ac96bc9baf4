//! expect = "bounds"
//! title = "one reference is read behind its end, where another's memory may lie"
//! buffer = "source=589824"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Source { vec4 values[]; };
layout(buffer_reference, std430) writeonly buffer Target { float values[]; };
layout(push_constant) uniform Push { Source source; Target target; };

void main() {
  const uint i = gl_GlobalInvocationID.x;
  target.values[i] = source.values[i * 1000u].x;  // bounds
}
