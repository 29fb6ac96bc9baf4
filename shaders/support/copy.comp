// The bandwidth ceiling: one vec4 an invocation, read and written.
// Not a variant: lab/run/ceilings.h runs it.
#version 450
layout(binding = 0) restrict readonly buffer From { vec4 from[]; };
layout(binding = 1) restrict writeonly buffer To { vec4 to[]; };
layout(push_constant) uniform Size { uint COUNT; };
layout(local_size_x = 256) in;

void main() {
  const uint id = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256;
  if (id < COUNT) to[id] = from[id];
}
