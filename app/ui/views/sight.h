// Where a picture is looked at from: what the grid and the tile view have in common.
#pragma once

#include <algorithm>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

namespace ui {

/// Of what is seen, a key press; for the timeline too.
constexpr float pan_step = 0.1F;
/// A notch of the mouse's wheel.
constexpr float wheel_zoom = 1.2F;

/// The middle as fractions of what is drawn, so that it holds at any resolution.
struct Sight {
  glm::vec2 centre{0.5F, 0.5F};
  float zoom = 1.0F;  ///< 1: all of it fits

  void pan(glm::vec2 by) { centre = glm::clamp(centre + by * (pan_step / zoom), 0.0F, 1.0F); }
  void enlarge(float factor, float most) { zoom = std::clamp(zoom * factor, 0.5F, most); }
};

}  // namespace ui
