// Particles in the boxes of a cubic lattice. Each particle acts on those of its own box and of the
// boxes around it alone (a cut-off of one box).
#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace core {

/// Boxes of edge 1 from the origin on, numbered along x first, then y, then z.
struct Lattice {
  std::uint32_t side = 1;  ///< boxes along an edge

  [[nodiscard]] std::uint32_t boxes() const { return side * side * side; }
  [[nodiscard]] glm::uvec3 place(std::uint32_t box) const;
  /// The box itself first, then the up to 26 that touch it, by number.
  [[nodiscard]] std::vector<std::uint32_t> neighbours(std::uint32_t box) const;
  /// The same for all boxes together: (3·side − 2)³ entries of lists.
  [[nodiscard]] double neighbours() const;
};

/// As many of a launch's particles as a picture can show.
struct Particles {
  Lattice lattice;
  std::uint32_t in_box = 0;          ///< particles a box
  std::uint32_t kept = 0;            ///< of those, the first so many are here
  std::vector<glm::vec4> positions;  ///< box after box: xyz in edges of a box, w the charge
  std::vector<float> potentials;     ///< of each of them
};

}  // namespace core
