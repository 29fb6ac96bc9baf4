// How the tiles of a launch are coloured, and the moment of it that is played back: in the grid and
// in the timeline alike.
#pragma once

#include <string>

#include "ui/view_state.h"

namespace ui {

struct LaunchState final : ViewState {
  std::string coloured_by = "output";  ///< one of tile_colour_names()
  float played = -1.0F;  ///< the launch played back: where it stands, 0 to 1; −1: all of it
  bool playing = false;

  [[nodiscard]] std::vector<StateField> fields() override;
  [[nodiscard]] bool busy() const override { return playing; }
};

}  // namespace ui
