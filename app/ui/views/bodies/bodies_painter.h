// Paints bodies on a thread of its own, so that a quarter of a million of them don't hold up a
// frame.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/particles.h"
#include "core/work/result.h"
#include "ui/view_state.h"
#include "ui/views/bodies/bodies_splat.h"

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

  [[nodiscard]] bool same_as(const BodiesShot& other) const;
};

/// A finished painting. `version` is another one for each.
struct BodiesPainting {
  Image image;
  OrbitCamera camera;
  float radius = 1.0F;  ///< of the bounding sphere, length units
  float low = 0.0F;     ///< speed or potential at the colour scale's ends
  float high = 1.0F;
  std::uint64_t version = 0;
};

/// The point of a lattice that the camera turns around.
[[nodiscard]] glm::vec3 lattice_centre(const core::Lattice& lattice);

class BodiesPainter final : public ViewState {
 public:
  BodiesPainter();
  ~BodiesPainter() override;

  /// The newest painting, which may be of an earlier shot; null before the first. Starts on `shot`
  /// when it is another one than before. With `wait` the painting is of that shot.
  [[nodiscard]] std::shared_ptr<const BodiesPainting> paint(const BodiesShot& shot, bool wait);
  /// A painting is on its way: another frame should be drawn soon.
  [[nodiscard]] bool busy() const override;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace ui
