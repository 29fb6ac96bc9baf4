// A colour bar with its name, its ends and its unit, in one line.
#pragma once

#include <string>

#include "ui/widgets/canvas.h"
#include "ui/widgets/textures.h"

namespace ui {

struct ColourScale {
  std::string name;
  std::string low, high, unit;
  glm::vec2 shades{0.0F, 1.0F};  ///< the part of viridis that is used
};

[[nodiscard]] float scale_width(const Canvas& canvas, const ColourScale& scale, bool with_unit);
/// From the left of the strip, in viridis.
void draw_scale(const Canvas& canvas, Textures& textures, Rect strip, const ColourScale& scale,
                bool with_unit);

}  // namespace ui
