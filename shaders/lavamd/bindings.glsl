// lavaMD, Rodinia benchmark suite (Che et al., IISWC 2009). Particles of the boxes of a lattice, PARTICLES a
// box: position in xyz, charge in w. Each box has a list of neighbours; the first one is the box itself.
layout(binding = 0) restrict readonly buffer Particle { vec4 particle[]; };
layout(binding = 1) restrict readonly buffer Neighbours { uint neighbours[]; };  // per box: length, then boxes
layout(binding = 2) restrict writeonly buffer Force { vec4 force[]; };           // w: the potential
layout(push_constant) uniform Sizes { uint PARTICLES; float A2; };

const uint LISTED = 28;  // words of the list of a box

// Effect of a particle of position and charge `other` on one at `here` (19 flop with the sum).
vec4 act(vec3 here, vec4 other) {
  const vec3 d = here - other.xyz;
  const float v = other.w * exp(-A2 * dot(d, d));
  return vec4((2.0 * v) * d, v);
}
