// What the grid remembers: where it is looked at, and which marks it draws.
#pragma once

#include "ui/view_state.h"
#include "ui/views/sight.h"

namespace ui {

constexpr float grid_zoom = 4096.0F;  ///< at most

struct GridState final : ViewState, Sight {
  bool marks = true;        ///< tiles with findings are marked
  bool idle = true;         ///< idle lanes of tiles that reach over the edge are drawn
  bool difference = false;  ///< outputs are shown as what they differ by from the reference
  bool sections =
      true;  ///< whole tiles and what they leave over are told apart (core/catalogue/sections.h)

  [[nodiscard]] std::vector<StateField> fields() override;
};

}  // namespace ui
