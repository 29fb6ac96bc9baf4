// What the timeline remembers: the middle of what is seen, as fractions of the time in which tiles
// ran and of all rows, so that it holds at any resolution.
#pragma once

#include <glm/vec2.hpp>

#include "ui/view_state.h"

namespace ui {

struct TimelineState final : ViewState {
  glm::vec2 centre{0.5F, 0.5F};
  float zoom = 1.0F;       ///< 1: all tiles
  float rows_zoom = 1.0F;  ///< 1: all rows

  [[nodiscard]] std::vector<StateField> fields() override;
};

}  // namespace ui
