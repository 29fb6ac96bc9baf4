// Paints bodies on a thread of its own, so that a quarter of a million of them don't hold up a
// frame.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/particles.h"
#include "core/work/result.h"
#include "ui/view_state.h"
#include "ui/views/bodies/bodies_splat.h"
#include "ui/widgets/background.h"

namespace ui {

/// What to paint: moving bodies coloured by speed, or the particles of a lattice by potential.
struct BodiesShot {
  std::shared_ptr<const core::Bodies> bodies;
  std::shared_ptr<const core::Particles> particles;
  std::uint32_t home = 0;  ///< the lattice's box that stands out, with its neighbours
  core::Problem problem;   ///< its seeded start gives the unit of the distance
  core::WorkloadPtr workload;
  float yaw = 0.0F, pitch = 0.0F;
  float distance = 3.0F;  ///< in radii of the bounding sphere of the start, or of the lattice
  std::uint32_t width = 1, height = 1;
  bool dark = true;
  Colour background = 0;

  bool operator==(const BodiesShot& other) const;
};

/// A finished painting.
struct BodiesPainting {
  Image image;
  OrbitCamera camera;
  float radius = 1.0F;  ///< of the bounding sphere, length units
  float low = 0.0F;     ///< speed or potential at the colour scale's ends
  float high = 1.0F;
};

/// The point of a lattice that the camera turns around.
[[nodiscard]] glm::vec3 lattice_centre(const core::Lattice& lattice);

/// The radius that the camera's distance is told in, kept for as long as the start is the same.
struct StartRadius {
  core::WorkloadPtr workload;
  core::Problem problem;
  float radius = 1.0F;
};

struct BodiesPainter final : ViewState {
  StartRadius start;  ///< used by what is painted
  Background<BodiesShot, BodiesPainting> painting;

  /// The newest painting, which may be of an earlier shot; null before the first.
  [[nodiscard]] std::shared_ptr<const BodiesPainting> paint(const BodiesShot& shot, bool wait);
  [[nodiscard]] bool busy() const override { return painting.busy(); }
};

}  // namespace ui
