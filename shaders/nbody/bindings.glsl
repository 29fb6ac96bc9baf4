// One leapfrog step of BODIES bodies. Position: xyz and mass; velocity: xyz, half a step behind.
layout(binding = 0) restrict readonly buffer Position { vec4 position[]; };
layout(binding = 1) restrict readonly buffer Velocity { vec4 velocity[]; };
layout(binding = 2) restrict writeonly buffer NextPosition { vec4 next_position[]; };
layout(binding = 3) restrict writeonly buffer NextVelocity { vec4 next_velocity[]; };
layout(push_constant) uniform Step { uint BODIES; float SOFTENING2; float DT; };

// Acceleration at `here` by a body of position and mass `other` (20 flop).
vec3 pull(vec3 here, vec4 other) {
  const vec3 to = other.xyz - here;
  const float inverse =
      inversesqrt(fma(to.x, to.x, fma(to.y, to.y, fma(to.z, to.z, SOFTENING2))));
  return to * ((other.w * inverse) * (inverse * inverse));
}

void advance(uint body, vec4 here, vec3 acceleration) {
  const vec3 v = velocity[body].xyz + acceleration * DT;
  next_velocity[body] = vec4(v, 0.0);
  next_position[body] = vec4(here.xyz + v * DT, here.w);
}
