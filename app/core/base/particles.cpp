#include "core/base/particles.h"

#include <algorithm>

namespace core {

glm::uvec3 Lattice::place(std::uint32_t box) const {
  return {box % side, box / side % side, box / side / side};
}

std::vector<std::uint32_t> Lattice::neighbours(std::uint32_t box) const {
  const glm::uvec3 at = place(box);
  const auto first = [](std::uint32_t i) { return i - std::min(i, 1U); };
  const auto last = [this](std::uint32_t i) { return std::min(i + 1, side - 1); };
  std::vector<std::uint32_t> all{box};
  for (std::uint32_t z = first(at.z); z <= last(at.z); ++z) {
    for (std::uint32_t y = first(at.y); y <= last(at.y); ++y) {
      for (std::uint32_t x = first(at.x); x <= last(at.x); ++x) {
        if (glm::uvec3(x, y, z) != at) {
          all.push_back((z * side + y) * side + x);
        }
      }
    }
  }
  return all;
}

double Lattice::neighbours() const {
  const double along = 3.0 * side - 2.0;
  return along * along * along;
}

}  // namespace core
