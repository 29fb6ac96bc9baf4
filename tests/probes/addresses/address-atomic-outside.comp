//! expect = "bounds"
//! title = "an atomic behind the end"
//! buffer = "bins=147456"
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Bins { uint counts[]; };
layout(push_constant) uniform Push { Bins bins; };

void main() {
  atomicAdd(bins.counts[gl_GlobalInvocationID.x << 8u], 1u);  // bounds
}
