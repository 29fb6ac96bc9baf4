// Where a picture is looked at from: what the grid and the tile view have in common.
#pragma once

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

#include "ui/widgets/stack.h"

namespace ui {

/// Of what is seen, a key press; for the timeline too.
constexpr float pan_step = 0.1F;
/// A notch of the mouse's wheel.
constexpr float wheel_zoom = 1.2F;

/// The middle as fractions of what is drawn, so that it holds at any resolution.
struct Sight {
  glm::vec2 centre{0.5F, 0.5F};
  float zoom = 1.0F;  ///< 1: all of it fits

  bool operator==(const Sight&) const = default;
  void pan(glm::vec2 by) { centre = glm::clamp(centre + by * (pan_step / zoom), 0.0F, 1.0F); }
  void enlarge(float factor, float most) { zoom = std::clamp(zoom * factor, 0.5F, most); }
  /// Dragging moves it, the wheel zooms about the mouse. `drawn`: pixels of all that there is, of
  /// which the centre lies at `middle`.
  void take_mouse(const Hit& mouse, glm::vec2 middle, glm::vec2 drawn, float most) {
    const ImGuiIO& io = ImGui::GetIO();
    if (mouse.held) {
      centre = glm::clamp(centre - vec(io.MouseDelta) / drawn, 0.0F, 1.0F);
    }
    if (mouse.hovered && io.MouseWheel != 0.0F) {
      const float before = zoom;
      enlarge(std::pow(wheel_zoom, io.MouseWheel), most);
      const glm::vec2 from_middle = (vec(io.MousePos) - middle) / drawn;
      centre = glm::clamp(centre + from_middle * (1.0F - before / zoom), 0.0F, 1.0F);
    }
  }
};

}  // namespace ui
