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

/// How much of the window its reader gave to panels: shares of its width, and of its height below
/// the bar; 0: the layout's own choice.
struct PanelShares {
  float ladder = 0.0F;
  float column = 0.0F;    ///< timing and findings
  float findings = 0.0F;  ///< of the column
  float source = 0.0F;
  float beside = 0.0F;  ///< in a low window: the source's width
  float above = 0.0F;   ///< and the height of the findings above it
  bool operator==(const PanelShares&) const = default;
};

/// A line between panels that can be dragged.
struct Splitter {
  Rect grip;            ///< takes the mouse
  bool upright = true;  ///< it moves to the left and right; else up and down
  float PanelShares::* share = nullptr;
  float from = 0.0F;    ///< the edge of the window that the share is counted from, pixels
  float length = 1.0F;  ///< that a share of 1 takes, away from that edge where it is negative

  [[nodiscard]] float share_at(glm::vec2 mouse) const {
    return ((upright ? mouse.x : mouse.y) - from) / length;
  }
};

/// Shares out a window of `size` pixels. The view is never given up; when room is short the ladder
/// goes first, then the timing, the findings and the source. In a low window the source stands
/// beside the view, below the findings. Without chrome the view is all there is. What was given to
/// panels is kept within what each of them and its neighbours need at least.
[[nodiscard]] Layout arrange(glm::vec2 size, float scale, bool chrome,
                             const PanelShares& shares = {});
/// On a projector: the view and the source alone, the source beside the view, or below it if two
/// pictures need the width. Panels that are left out are opened over the view.
[[nodiscard]] Layout arrange_presented(glm::vec2 size, float scale, bool below,
                                       const PanelShares& shares = {});
/// Between the panels of a layout that was made with the same size and scale.
[[nodiscard]] std::vector<Splitter> splitters(const Layout& layout, glm::vec2 size, float scale);

/// A part of a bar that can be drawn in several forms, widest first.
struct BarItem {
  std::vector<float> widths;  ///< pixels, descending
  int importance = 0;         ///< the least important shrinks, and then vanishes, first
  bool may_vanish = true;
};

/// The form to draw each item in, −1 for none, so that all and the gaps between them fit. What was
/// dropped or shortened before something larger was comes back, or is widened, where it has room
/// after all.
[[nodiscard]] std::vector<int> fit(std::span<const BarItem> items, float available, float gap);

}  // namespace ui
