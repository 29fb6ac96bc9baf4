// Where things go. Pure arithmetic, so that the tests can hold it to every size and scale.
#pragma once

#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "ui/canvas/rect.h"

namespace ui {

/// Panels of the window; an empty rectangle is a panel that had to give way.
struct Layout {
  Rect top;
  Rect ladder;
  Rect view;
  Rect source;
  Rect timing;
  Rect findings;
};

/// Shares out a window of `size` pixels. The view is never given up; when room is short the ladder
/// goes first, then the timing, the findings and the source. In a low window the source stands
/// beside the view, below the findings. Without chrome the view is all there is.
[[nodiscard]] Layout arrange(glm::vec2 size, float scale, bool chrome);

/// A part of a bar that can be drawn in several forms, widest first.
struct BarItem {
  std::vector<float> widths;  ///< pixels, descending
  int importance = 0;         ///< the least important shrinks, and then vanishes, first
  bool may_vanish = true;
};

/// The form to draw each item in, −1 for none, so that all and the gaps between them fit.
[[nodiscard]] std::vector<int> fit(std::span<const BarItem> items, float available, float gap);

}  // namespace ui
