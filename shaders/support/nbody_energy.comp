// Energy of each body: kinetic at the time of its position, plus half of its potential with each other.
// Not a variant: lab/run/simulation.cpp runs it between two steps of an n-body run.
#version 450
layout(binding = 0) restrict readonly buffer Position { vec4 position[]; };
layout(binding = 1) restrict readonly buffer Before { vec4 velocity_before[]; };  // half a step behind
layout(binding = 2) restrict readonly buffer After { vec4 velocity_after[]; };    // half a step ahead
layout(binding = 3) restrict writeonly buffer Energy { float energy[]; };
layout(push_constant) uniform Step { uint BODIES; float SOFTENING2; };
layout(local_size_x = 256) in;

shared vec4 tile[256];

void main() {
  const uint local = gl_LocalInvocationID.x;
  const uint body = gl_GlobalInvocationID.x;
  const vec4 here = body < BODIES ? position[body] : vec4(0.0);

  float potential = 0.0;
  for (uint first = 0; first < BODIES; first += 256) {
    const uint other = first + local;
    tile[local] = other < BODIES ? position[other] : vec4(0.0);
    barrier();
    for (uint k = 0; k < 256; ++k) {
      const vec3 to = tile[k].xyz - here.xyz;
      const float mass = first + k == body ? 0.0 : tile[k].w;
      potential -= mass * inversesqrt(dot(to, to) + SOFTENING2);
    }
    barrier();
  }

  if (body >= BODIES) return;
  const vec3 v = 0.5 * (velocity_before[body].xyz + velocity_after[body].xyz);
  energy[body] = here.w * (0.5 * dot(v, v) + 0.5 * potential);
}
