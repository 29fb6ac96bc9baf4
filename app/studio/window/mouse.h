// The mouse as the interface takes it: one change of a button a frame, at the place where it was
// made.
#pragma once

#include <array>

#include <glm/vec2.hpp>

#include "studio/display.h"
#include "ui/canvas/imgui_compat.h"

namespace studio {

class Mouse {
 public:
  /// What the display has had since the last frame, up to the next change of a button.
  void follow(Display& display) {
    for (const MouseEvent& e : display.take_mouse()) {
      at_ = e.at;
      known_ = true;
      if (e.button >= 0) {
        buttons_[static_cast<std::size_t>(e.button)] = e.down;
      }
    }
    for (int i = 0; known_ && i < 3; ++i) {
      ui::compat::set_mouse({at_.x, at_.y}, i, buttons_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  glm::vec2 at_{0.0F};
  std::array<bool, 3> buttons_{};
  bool known_ = false;
};

}  // namespace studio
