// What the grid remembers: where it is looked at, and which marks it draws.
#pragma once

#include <glm/vec2.hpp>

#include "ui/view_state.h"

namespace ui {

struct GridState final : ViewState {
  glm::vec2 centre{0.5F, 0.5F};  ///< as a fraction of what is drawn
  float zoom = 1.0F;             ///< 1: all of it fits
  bool marks = true;             ///< tiles with findings are marked
  bool idle = true;              ///< idle lanes of tiles that reach over the edge are drawn
  bool sections =
      true;  ///< whole tiles and what they leave over are told apart (core/work/sections.h)

  [[nodiscard]] std::vector<StateField> fields() override;
};

}  // namespace ui
