// How large the reader made the panels.
#pragma once

#include <vector>

#include "ui/canvas/layout.h"
#include "ui/view_state.h"

namespace ui {

struct PanelSizes final : ViewState {
  PanelShares shares;

  [[nodiscard]] std::vector<StateField> fields() override;
};

/// What the names of its fields begin with: the window keeps these whatever it opens.
inline constexpr const char* panel_sizes = "panel_";

}  // namespace ui
