// The rungs of the ladder as the ladder, the comparison and the roofline show them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/panels/panels.h"

namespace ui {

/// "Tiled 16".
[[nodiscard]] std::string rung_title(const core::Rung& rung);
/// Times, or why there are none, in a sentence.
[[nodiscard]] std::string rung_details(const core::Rung& rung);
/// "1.83×" of the ladder's first rung; "~1.83×" if one of both times is unsteady.
[[nodiscard]] std::string rung_speedup(const core::Rung& rung,
                                       const std::vector<core::Rung>& ladder);
/// In a word or two why a rung has no times: "refused", "not possible", "…".
[[nodiscard]] std::string rung_absence(const core::Rung& rung);
/// It is the variant and the tile that are wanted.
[[nodiscard]] bool is_chosen(const Frame& frame, const core::Rung& rung);
/// Asks for it.
void choose(const Frame& frame, const core::Rung& rung);

/// How the rungs were warmed up, or how far they are: "measured after 1 s of warm-up each", "3 of
/// 13 measured", "measuring 4 of 13, Tiled 16".
[[nodiscard]] std::string ladder_state(const core::Result& result);

/// A row of a bar chart. Values are 0 or larger.
struct BarRow {
  std::string name;
  double value = 0.0;
  double low = 0.0, high = 0.0;  ///< the whiskers' ends; both 0: none
  std::string number, second;    ///< at the right; the second gives way first
  std::string instead;           ///< of a bar: why there is none
  bool chosen = false;
  bool faint = false;   ///< from before, about to be replaced
  bool warned = false;  ///< `instead` is a finding, not an impossibility
};

struct BarChart {
  std::vector<BarRow> rows;
  std::string unit;                ///< of the axis, in the caption
  double limit = 0.0;              ///< a line across all bars; 0: none
  std::string limit_name;          ///< in the caption
  int first_row = 0;               ///< the topmost that is shown, where not all fit
  std::vector<std::string> heads;  ///< names of the columns (name, bar, second, number); none: {}
  std::size_t sorted = 0;          ///< the column that rows are sorted by, which has an arrow
  bool falling = false;            ///< the largest first
};

/// What the mouse does with a chart's rows.
struct BarHit {
  std::optional<std::size_t> hovered;
  std::optional<std::size_t> clicked;
  std::optional<std::size_t> head;  ///< a column's name that was clicked on
};

/// The topmost row that is shown.
struct RungRows final : ViewState {
  int first = 0;
  std::string order = "ladder";  ///< as the ladder has them, or by "name", "time" or "speed-up"
  bool falling = false;          ///< the other way round

  [[nodiscard]] std::vector<StateField> fields() override;
};
/// Places in the ladder in the order of the state; what was not measured comes last.
[[nodiscard]] std::vector<std::size_t> ordered_rungs(const std::vector<core::Rung>& ladder,
                                                     const RungRows& rows);

/// Draws as many rows as fit and writes into `first_row` which is the topmost.
BarHit draw_bars(const Canvas& canvas, const Rect& area, BarChart& chart);

/// The ladder as bars, a row a rung: `fill` writes the figures of a measured one. A click chooses a
/// rung, hovering tells its times, a column's name sorts by it where the chart has names.
void draw_rung_bars(const Frame& frame, const Canvas& canvas, const Rect& area, BarChart chart,
                    const std::function<void(const core::Rung&, BarRow&)>& fill);

}  // namespace ui
