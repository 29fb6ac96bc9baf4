// Paints bodies on a thread of its own, so that a quarter of a million of them don't hold up a
// frame.
#pragma once

#include <cstdint>
#include <memory>

#include "core/result.h"
#include "ui/bodies_splat.h"

namespace ui {

/// What to paint.
struct BodiesShot {
  std::shared_ptr<const core::Bodies> bodies;
  core::Problem problem;  ///< its seeded start gives the unit of the distance
  std::string workload;
  float yaw = 0.0F, pitch = 0.0F;
  float distance = 3.0F;  ///< in radii of the start's bounding sphere
  std::uint32_t width = 1, height = 1;
  bool dark = true;
  Colour background = 0;

  [[nodiscard]] bool same_as(const BodiesShot& other) const;
};

/// A finished painting. `version` is another one for each.
struct BodiesPainting {
  Image image;
  OrbitCamera camera;
  float radius = 1.0F;   ///< of the start's bounding sphere, length units
  float fastest = 1.0F;  ///< speed at the colour scale's upper end
  std::uint64_t version = 0;
};

class BodiesPainter {
 public:
  BodiesPainter();
  ~BodiesPainter();
  BodiesPainter(const BodiesPainter&) = delete;
  BodiesPainter& operator=(const BodiesPainter&) = delete;

  /// The newest painting, which may be of an earlier shot; null before the first. Starts on `shot`
  /// when it is another one than before. With `wait` the painting is of that shot.
  [[nodiscard]] std::shared_ptr<const BodiesPainting> paint(const BodiesShot& shot, bool wait);
  /// A painting is on its way: another frame should be drawn soon.
  [[nodiscard]] bool busy() const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace ui
