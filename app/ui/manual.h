// Where the interface points into the manual. Whoever has a desktop opens the page.
#pragma once

#include <optional>
#include <string>

#include "ui/view_state.h"

namespace ui {

/// A section of assets/manual/reference/views.md, by its heading; the whole manual
/// (assets/manual/index.md) if empty.
struct ManualPage {
  std::string chapter;

  [[nodiscard]] std::string file() const {
    return chapter.empty() ? "index.md" : "reference/views.md";
  }
};

/// What a key or a click in the help asks for.
struct ManualState final : ViewState {
  std::optional<ManualPage> asked;
};

}  // namespace ui
