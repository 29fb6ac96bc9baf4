// How a race is drawn on the figure of the tile view.
#pragma once

#include <array>
#include <string>

#include <glm/common.hpp>

#include "ui/canvas/rect.h"

namespace ui {

/// Bent, so that the two sides of a race are told apart where they lie on one line: a quadratic
/// Bézier curve.
struct Arc {
  glm::vec2 from{0.0F}, middle{0.0F}, to{0.0F};
  [[nodiscard]] glm::vec2 at(float t) const {
    return glm::mix(glm::mix(from, middle, t), glm::mix(middle, to, t), t);
  }
};

/// One of the two accesses, between its invocation and the racing cell.
struct RaceArrow {
  Rect from;  ///< the invocation
  bool writes = false;
  Arc arc;
  std::string label;  ///< who does what
  Rect label_at;      ///< empty: there is no room for it
};

struct RaceFigure {
  Rect cell;
  std::array<RaceArrow, 2> arrows;
};

}  // namespace ui
