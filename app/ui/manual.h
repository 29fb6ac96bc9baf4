// Where the interface points into the manual. Whoever has a desktop opens the page.
#pragma once

#include <optional>
#include <string>

#include "ui/view_state.h"

namespace ui {

/// A file of assets/manual/, and the heading of the chapter that is meant; empty: all of it.
struct ManualPage {
  std::string file = "manual.md";
  std::string chapter;
};

/// What a key or a click in the help asks for.
struct ManualState final : ViewState {
  std::optional<ManualPage> asked;
};

}  // namespace ui
