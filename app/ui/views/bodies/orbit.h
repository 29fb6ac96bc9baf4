// What views of space have in common: the painting behind them, the camera that the mouse turns,
// and the scale of its colours.
#pragma once

#include <memory>
#include <optional>

#include "ui/panels/panels.h"
#include "ui/views/bodies/bodies_painter.h"
#include "ui/views/bodies/orbit_state.h"
#include "ui/widgets/legend.h"

namespace ui {

/// Places points of space on the panel, through the camera that the painting was made with.
struct Projection {
  OrbitCamera camera;
  Rect area;
  [[nodiscard]] std::optional<glm::vec2> operator()(glm::vec3 point) const;
};

/// Takes the mouse, and shows the newest painting of `shot`, whose camera and colours are the
/// view's. Null before the first.
std::shared_ptr<const BodiesPainting> draw_painting(const Frame& frame, const Canvas& canvas,
                                                    const Rect& area, BodiesShot shot);
/// The painting's colours.
[[nodiscard]] LegendItem tints_of(const Frame& frame, const BodiesPainting& painting,
                                  const char* name, const char* unit);

}  // namespace ui
