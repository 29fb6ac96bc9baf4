// The buttons that go through a workgroup's life: a phase back, a moment back, play, a moment on, a
// phase on. Keys do the same.
#pragma once

#include "ui/panels/panels.h"

namespace ui {

/// Where a view that goes from moment to moment is asked to go, by a key or a button.
struct StepState final : ViewState {
  int steps = 0;  ///< moments
  int leaps = 0;  ///< phases
  bool playing = false;
  float speed = 4.0F;        ///< moments a second when it does
  double next_moment = 0.0;  ///< ImGui time, seconds

  /// Playing, and a moment is due; the next one is then due later.
  [[nodiscard]] bool due(double now);
  [[nodiscard]] bool busy() const override { return playing; }
};

/// Takes their room off the row's left; what they ask for is in the StepState.
void draw_step_buttons(const Frame& frame, const Canvas& canvas, Rect& row);

}  // namespace ui
